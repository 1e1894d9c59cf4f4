// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Files/PrivateFolder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace invar;

static constexpr std::string_view temporarySuffix = ".tmp";

bool invar::isUnfinished(std::string_view name) {
  return name.starts_with(".") && name.ends_with(temporarySuffix);
}

/// Whether an opened file belongs to the user; otherwise `why` explains why not.
static bool isPrivate(const struct stat &facts, std::string_view what,
                      Reason &why) {
  auto refuse = [&](const std::string &got) {
    why = {std::string("expected ")
                   .append(what)
                   .append(" that is the user's and that nobody else can "
                           "write, but ") +
               got,
           0};
    return false;
  };
  if (facts.st_uid != geteuid() && facts.st_uid != 0)
    return refuse("it belongs to user " + std::to_string(facts.st_uid));
  if (facts.st_mode & (S_IWGRP | S_IWOTH)) {
    char mode[8];
    std::snprintf(mode, sizeof(mode), "%04o", unsigned(facts.st_mode & 07777));
    return refuse("its mode is " + std::string(mode));
  }
  return true;
}

static bool explain(const std::string &path, const char *what, Reason &why) {
  int error = errno;
  why = {path + ": cannot " + what + ": " + std::strerror(error), error};
  return false;
}

// The folder

PrivateFolder::PrivateFolder(std::string given) : path(std::move(given)) {
  // With a trailing slash, open() would follow a link.
  while (path.size() > 1 && path.back() == '/')
    path.pop_back();
}

PrivateFolder::~PrivateFolder() {
  if (descriptor >= 0)
    close(descriptor);
}

std::string PrivateFolder::getPath(std::string_view name) const {
  return (path + "/").append(name);
}

bool PrivateFolder::open(Reason &why) {
  why = {};
  if (descriptor >= 0)
    return true;
  int opened =
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0 && errno == ENOENT) {
    why.error = ENOENT;
    return false;
  }
  struct stat facts;
  if (opened < 0 && (errno == ENOTDIR || errno == ELOOP) &&
      lstat(path.c_str(), &facts) == 0) {
    why = {path + ": expected a folder, but got " +
               (S_ISLNK(facts.st_mode) ? "a link: name what it leads to"
                                       : "something else"),
           0};
    return false;
  }
  if (opened < 0 || fstat(opened, &facts) != 0) {
    explain(path, "open the folder", why);
  } else if (isPrivate(facts, "a folder", why)) {
    descriptor = opened;
    return true;
  } else {
    why.text = path + ": " + why.text;
  }
  if (opened >= 0)
    close(opened);
  return false;
}

bool PrivateFolder::make(Reason &why) {
  if (open(why))
    return true;
  if (why.error != ENOENT)
    return false;
  for (size_t end = path.find('/', 1); end != std::string::npos;
       end = path.find('/', end + 1))
    mkdir(path.substr(0, end).c_str(), 0700);
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return explain(path, "make the folder", why);
  if (open(why))
    return true;
  if (why.text.empty()) // It was removed immediately.
    why.text = path + ": cannot make the folder";
  return false;
}

int PrivateFolder::open(const std::string &name, Reason &why) const {
  why = {};
  int opened =
      openat(descriptor, name.c_str(),
             O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat facts;
  if (opened < 0 && errno == ENOENT) {
    why.error = ENOENT;
    return -1;
  }
  if (opened < 0 && errno == ELOOP) {
    why = {getPath(name) + ": expected a file, but got a link", 0};
  } else if (opened < 0 || fstat(opened, &facts) != 0) {
    explain(getPath(name), "open", why);
  } else if (!S_ISREG(facts.st_mode)) {
    why = {getPath(name) + ": expected a file, but got something else", 0};
  } else if (isPrivate(facts, "a file", why)) {
    return opened;
  } else {
    why.text = getPath(name) + ": " + why.text;
  }
  if (opened >= 0)
    close(opened);
  return -1;
}

bool PrivateFolder::remove(const std::string &name) const {
  return unlinkat(descriptor, name.c_str(), 0) == 0;
}

/// Removes unfinished files whose writers have died: nobody holds their locks.
void PrivateFolder::removeAbandoned() const {
  int listed = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  std::unique_ptr<DIR, int (*)(DIR *)> list(
      listed < 0 ? nullptr : fdopendir(listed), &closedir);
  while (dirent *entry = list ? readdir(list.get()) : nullptr) {
    if (!isUnfinished(entry->d_name))
      continue;
    Reason why;
    int file = open(entry->d_name, why);
    if (file < 0)
      continue;
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
      remove(entry->d_name);
    close(file);
  }
}

// A file

PrivateFile::~PrivateFile() {
  if (!temporary.empty())
    folder->remove(temporary);
  if (descriptor >= 0)
    close(descriptor);
}

bool PrivateFile::create(const PrivateFolder &in, Reason &why) {
  folder = &in;
  folder->removeAbandoned();
  for (unsigned i = 0; i < 100 && descriptor < 0; ++i) {
    unsigned number = unsigned(getpid()) + i;
    (void)!getrandom(&number, sizeof(number), GRND_NONBLOCK);
    char name[32];
    std::snprintf(name, sizeof(name), ".%08x%s", number,
                  temporarySuffix.data());
    descriptor = openat(folder->descriptor, name,
                        O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                        S_IRUSR | S_IWUSR);
    if (descriptor < 0 && errno != EEXIST)
      break;
    temporary = name;
  }
  if (descriptor < 0) {
    temporary.clear();
    return explain(folder->getPath(), "make a file there", why);
  }
  // Neither the umask nor default permissions of the folder may change the mode.
  if (fchmod(descriptor, S_IRUSR | S_IWUSR) != 0)
    return explain(folder->getPath(temporary), "take for the user alone", why);
  flock(descriptor, LOCK_EX | LOCK_NB);
  why = {};
  return true;
}

int PrivateFile::release() { return std::exchange(descriptor, -1); }

bool PrivateFile::commit(const std::string &name) {
  if (renameat(folder->descriptor, temporary.c_str(), folder->descriptor,
               name.c_str()) != 0)
    return false;
  temporary.clear();
  return true;
}
