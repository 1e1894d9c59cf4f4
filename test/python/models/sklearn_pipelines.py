#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs pipelines of scikit-learn, LightGBM and XGBoost, as skl2onnx writes them by default (ending with
ZipMap), and compares with onnxruntime. Labels must be equal; probabilities and other floats must be within 1e-5 of
the usual magnitude. Regressors' predictions and distances of neighbors may be twice as far from scikit-learn's
doubles as onnxruntime's: some sum large numbers to small ones.

  "$(utils/python-env sklearn)" test/python/models/sklearn_pipelines.py --build build/dev
  "$(utils/python-env sklearn)" test/python/models/sklearn_pipelines.py --build build/dev --only forest --verbose

onnxruntime runs on one thread: with more, it sums the votes of a forest in a different order for each batch size, so
that ties go to either class.
"""
import argparse
import collections
import os
import sys
import tempfile
import warnings
from typing import Any, Iterator, NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnxruntime
from lightgbm import LGBMClassifier, LGBMRegressor
from onnxmltools.convert.lightgbm.operator_converters.LightGbm import convert_lightgbm
from onnxmltools.convert.xgboost.operator_converters.XGBoost import convert_xgboost
from skl2onnx import to_onnx, update_registered_converter
from skl2onnx.common.data_types import (DictionaryType, DoubleTensorType, FloatTensorType, Int64TensorType,
                                        StringTensorType)
from skl2onnx.common.shape_calculator import (calculate_linear_classifier_output_shapes,
                                              calculate_linear_regressor_output_shapes)
from sklearn import (cluster, compose, cross_decomposition, decomposition, discriminant_analysis, ensemble,
                     feature_extraction, feature_selection, gaussian_process, impute, linear_model, mixture, model_selection,
                     multiclass, multioutput, naive_bayes, neighbors, neural_network, preprocessing, svm, tree)
from sklearn.calibration import CalibratedClassifierCV
from sklearn.pipeline import FeatureUnion, make_pipeline
from xgboost import XGBClassifier, XGBRegressor

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import invar_engine

OPSETS = {"": 19, "ai.onnx.ml": 3}
MICROSOFT = "com.microsoft"
TEXTS = ("texts", "sentences")
ROWS = 400
NUMBERS = np.random.default_rng(7)

for booster, convert, shapes in ((LGBMClassifier, convert_lightgbm, calculate_linear_classifier_output_shapes),
                                 (LGBMRegressor, convert_lightgbm, calculate_linear_regressor_output_shapes),
                                 (XGBClassifier, convert_xgboost, calculate_linear_classifier_output_shapes),
                                 (XGBRegressor, convert_xgboost, calculate_linear_regressor_output_shapes)):
    options = {"nocl": [True, False], "zipmap": [True, False, "columns"]} if "Classifier" in booster.__name__ else {}
    update_registered_converter(booster, booster.__name__, shapes, convert, options=options)


class Case(NamedTuple):
    name: str
    estimator: Any
    data: str = "numbers"      # the features: a function of that name below
    target: str = "two"        # the kind of target to learn
    options: dict[str, Any] = {}
    uses: str = ""             # an operator that skl2onnx must have written


# -- Data ---------------------------------------------------------------------------------------------------------------

def make_features(kind: str) -> Any:
    x = NUMBERS.normal(size=(ROWS, 6)).astype(np.float32)
    if kind == "positive":
        return np.abs(x)
    if kind == "missing":
        x[NUMBERS.random(x.shape) < 0.1] = np.nan
    if kind == "few":  # few different numbers, so that trees tie and categories repeat
        return NUMBERS.integers(0, 4, (ROWS, 6)).astype(np.float32)
    if kind == "words":
        return np.array([["red", "green", "blue"][i] for i in NUMBERS.integers(0, 3, ROWS * 2)], dtype=object).reshape(ROWS, 2)
    if kind == "texts":
        words = "the a cat dog sat ran on under red green mat tree and or".split()
        return np.array([" ".join(NUMBERS.choice(words, 6)) for _ in range(ROWS)], dtype=object)
    if kind == "sentences":
        words = "The a Cat dog sat ran, on under red; green mat. tree! and or is it? naïve café".split()
        texts = [" ".join(NUMBERS.choice(words, NUMBERS.integers(1, 9))) for _ in range(ROWS)]
        return np.array(texts, dtype=object)
    if kind == "dicts":
        keys = list("abcdefgh")
        return [{key: float(NUMBERS.integers(1, 5)) for key in NUMBERS.choice(keys, 4, replace=False)} for _ in range(ROWS)]
    if kind == "mixed":
        return {"number": x[:, :1], "size": x[:, 1:2], "color": make_features("words")[:, :1], "shape": make_features("words")[:, 1:]}
    return x


def make_target(kind: str, features: Any) -> np.ndarray:
    """Makes a target that can be learned, with noise."""
    if isinstance(features, np.ndarray) and features.dtype == np.float32:
        whole = np.nan_to_num(features)
        score = whole[:, 0] + whole[:, 1] * whole[:, 2] - 0.5 * whole[:, 3]
    else:
        score = NUMBERS.normal(size=ROWS)
    score = score + 0.3 * NUMBERS.normal(size=ROWS)
    if kind == "number":
        return score.astype(np.float32)
    if kind == "count":
        return np.abs(score).astype(np.float32) + 0.1
    if kind == "numbers":
        return np.stack([score, score ** 2], 1).astype(np.float32)
    classes = np.digitize(score, np.quantile(score, [0.5] if kind in ("two", "yes-no") else [0.3, 0.7]))
    return np.array(["no", "yes"])[classes] if kind == "yes-no" else np.array(["low", "mid", "top"])[classes] if kind == "levels" else classes


# -- Cases --------------------------------------------------------------------------------------------------------------

def numeric(estimator: Any, *before: Any) -> Any:
    return make_pipeline(*before, estimator) if before else estimator


def list_classifiers() -> Iterator[Case]:
    forest = lambda **more: ensemble.RandomForestClassifier(20, random_state=0, **more)
    scale, lin = preprocessing.StandardScaler, linear_model
    for target in ("two", "three", "yes-no", "levels"):
        yield Case(f"logistic regression, {target}", lin.LogisticRegression(), target=target)
        yield Case(f"forest, {target}", forest(max_depth=5), target=target)
        yield Case(f"tree, {target}", tree.DecisionTreeClassifier(max_depth=4, random_state=0), target=target)
        yield Case(f"gradient boosting, {target}", ensemble.GradientBoostingClassifier(n_estimators=15, random_state=0), target=target)
        yield Case(f"neighbors, {target}", neighbors.KNeighborsClassifier(5), target=target)
        yield Case(f"perceptron layers, {target}", numeric(neural_network.MLPClassifier(hidden_layer_sizes=(8,), max_iter=60, random_state=0), scale()), target=target)
    for target in ("two", "three"):
        yield Case(f"forest with even votes, {target}", forest(max_depth=3, bootstrap=False, max_features=2), "few", target)
        yield Case(f"whole trees with even votes, {target}", forest(), "few", target)
        yield Case(f"extra trees, {target}", ensemble.ExtraTreesClassifier(20, max_depth=5, random_state=0), "few", target)
        yield Case(f"histogram boosting, {target}", ensemble.HistGradientBoostingClassifier(max_iter=15), target=target)
        yield Case(f"AdaBoost, {target}", ensemble.AdaBoostClassifier(n_estimators=8, random_state=0), target=target)
        yield Case(f"bagging, {target}", ensemble.BaggingClassifier(n_estimators=5, random_state=0), target=target)
        yield Case(f"LightGBM, {target}", LGBMClassifier(n_estimators=15, verbose=-1), target=target)
        yield Case(f"XGBoost, {target}", XGBClassifier(n_estimators=15, max_depth=3), target=target)
        yield Case(f"support vectors, {target}", svm.SVC(probability=True, random_state=0), target=target)
        yield Case(f"support vectors without probabilities, {target}", svm.SVC(), target=target)
        yield Case(f"linear support vectors, {target}", svm.SVC(kernel="linear", probability=True, random_state=0), target=target)
        yield Case(f"polynomial support vectors, {target}", svm.SVC(kernel="poly", probability=True, random_state=0), target=target)
        yield Case(f"sigmoid support vectors, {target}", svm.SVC(kernel="sigmoid", probability=True, random_state=0), target=target)
        yield Case(f"nu support vectors, {target}", svm.NuSVC(nu=0.3, probability=True, random_state=0), target=target)
        yield Case(f"LinearSVC, {target}", svm.LinearSVC(), target=target)
        yield Case(f"stochastic gradient, {target}", lin.SGDClassifier(loss="log_loss", random_state=0), target=target)
        yield Case(f"stochastic hinge, {target}", lin.SGDClassifier(random_state=0), target=target)
        yield Case(f"ridge classes, {target}", lin.RidgeClassifier(), target=target)
        yield Case(f"Perceptron, {target}", lin.Perceptron(random_state=0), target=target)
        yield Case(f"normal naive Bayes, {target}", naive_bayes.GaussianNB(), target=target)
        yield Case(f"Bernoulli naive Bayes, {target}", naive_bayes.BernoulliNB(), target=target)
        yield Case(f"multinomial naive Bayes, {target}", naive_bayes.MultinomialNB(), "positive", target)
        yield Case(f"complement naive Bayes, {target}", naive_bayes.ComplementNB(), "positive", target)
        yield Case(f"linear discriminants, {target}", discriminant_analysis.LinearDiscriminantAnalysis(), target=target)
        yield Case(f"quadratic discriminants, {target}", discriminant_analysis.QuadraticDiscriminantAnalysis(), target=target)
        yield Case(f"calibrated, {target}", CalibratedClassifierCV(lin.LogisticRegression(), cv=3), target=target)
        yield Case(f"one against the rest, {target}", multiclass.OneVsRestClassifier(lin.LogisticRegression()), target=target)
        yield Case(f"soft votes, {target}", ensemble.VotingClassifier([("a", lin.LogisticRegression()), ("b", tree.DecisionTreeClassifier(max_depth=3))], voting="soft"), target=target)
        yield Case(f"hard votes, {target}", ensemble.VotingClassifier([("a", lin.LogisticRegression()), ("b", tree.DecisionTreeClassifier(max_depth=3)), ("c", naive_bayes.GaussianNB())]), target=target)
        yield Case(f"stacked, {target}", ensemble.StackingClassifier([("a", naive_bayes.GaussianNB()), ("b", tree.DecisionTreeClassifier(max_depth=3))], cv=3), target=target)
    yield Case("one against one", multiclass.OneVsOneClassifier(lin.LogisticRegression()), target="three")
    yield Case("a search", model_selection.GridSearchCV(lin.LogisticRegression(), {"C": [0.1, 1]}, cv=3))
    yield Case("Gaussian process of classes", gaussian_process.GaussianProcessClassifier(random_state=0))


def list_regressors() -> Iterator[Case]:
    lin = linear_model
    for name, estimator, target in (
            ("linear", lin.LinearRegression(), "number"), ("two lines", lin.LinearRegression(), "numbers"),
            ("ridge", lin.Ridge(), "number"), ("lasso", lin.Lasso(0.01), "number"), ("elastic net", lin.ElasticNet(0.01), "number"),
            ("Bayesian ridge", lin.BayesianRidge(), "number"), ("Huber", lin.HuberRegressor(), "number"),
            ("Poisson", lin.PoissonRegressor(), "count"), ("Tweedie", lin.TweedieRegressor(), "count"),
            ("support vectors", svm.SVR(), "number"), ("LinearSVR", svm.LinearSVR(), "number"), ("nu support vectors", svm.NuSVR(), "number"),
            ("neighbors", neighbors.KNeighborsRegressor(4), "number"), ("tree", tree.DecisionTreeRegressor(max_depth=5), "number"),
            ("tree for two", tree.DecisionTreeRegressor(max_depth=5), "numbers"),
            ("forest", ensemble.RandomForestRegressor(15, max_depth=6, random_state=0), "number"),
            ("forest for two", ensemble.RandomForestRegressor(15, max_depth=6, random_state=0), "numbers"),
            ("gradient boosting", ensemble.GradientBoostingRegressor(n_estimators=15), "number"),
            ("histogram boosting", ensemble.HistGradientBoostingRegressor(max_iter=15), "number"),
            ("AdaBoost", ensemble.AdaBoostRegressor(n_estimators=6, random_state=0), "number"),
            ("bagging", ensemble.BaggingRegressor(n_estimators=5, random_state=0), "number"),
            ("perceptron layers", neural_network.MLPRegressor(hidden_layer_sizes=(8,), max_iter=60, random_state=0), "number"),
            ("Gaussian process", gaussian_process.GaussianProcessRegressor(alpha=1.0), "number"),
            ("partial least squares", cross_decomposition.PLSRegression(2), "number"),
            ("LightGBM", LGBMRegressor(n_estimators=15, verbose=-1), "number"), ("XGBoost", XGBRegressor(n_estimators=15, max_depth=3), "number"),
            ("several outputs", multioutput.MultiOutputRegressor(lin.Ridge()), "numbers"),
            ("votes", ensemble.VotingRegressor([("a", lin.Ridge()), ("b", tree.DecisionTreeRegressor(max_depth=3))]), "number"),
            ("stacked", ensemble.StackingRegressor([("a", lin.Ridge()), ("b", tree.DecisionTreeRegressor(max_depth=3))], cv=3), "number")):
        yield Case(f"{name}, regression", estimator, target=target)


def list_pipelines() -> Iterator[Case]:
    """Yields pipelines with steps before a classifier."""
    logistic = linear_model.LogisticRegression
    for name, steps, data in (
            ("MinMaxScaler", [preprocessing.MinMaxScaler()], "numbers"), ("MaxAbsScaler", [preprocessing.MaxAbsScaler()], "numbers"),
            ("RobustScaler", [preprocessing.RobustScaler()], "numbers"), ("Normalizer", [preprocessing.Normalizer()], "numbers"),
            ("PowerTransformer", [preprocessing.PowerTransformer()], "numbers"),
            ("QuantileTransformer", [preprocessing.QuantileTransformer(n_quantiles=20)], "numbers"),
            ("KBinsDiscretizer", [preprocessing.KBinsDiscretizer(4, encode="onehot-dense")], "numbers"),
            ("PolynomialFeatures", [preprocessing.PolynomialFeatures(2), preprocessing.StandardScaler()], "numbers"),
            ("Binarizer", [preprocessing.Binarizer()], "numbers"), ("PCA", [decomposition.PCA(3)], "numbers"),
            ("TruncatedSVD", [decomposition.TruncatedSVD(3)], "numbers"), ("SelectKBest", [feature_selection.SelectKBest(k=3)], "numbers"),
            ("VarianceThreshold", [feature_selection.VarianceThreshold()], "numbers"),
            ("SimpleImputer", [impute.SimpleImputer()], "missing"), ("KNNImputer", [impute.KNNImputer(n_neighbors=3)], "missing"),
            ("MissingIndicator", [FeatureUnion([("a", impute.SimpleImputer()), ("b", impute.SimpleImputer(strategy="median"))])], "missing"),
            ("FeatureUnion", [FeatureUnion([("a", preprocessing.StandardScaler()), ("b", decomposition.PCA(2))])], "numbers"),
            ("OneHotEncoder", [preprocessing.OneHotEncoder()], "words"), ("OrdinalEncoder", [preprocessing.OrdinalEncoder()], "words"),
            ("CountVectorizer", [feature_extraction.text.CountVectorizer()], "texts"),
            ("TfidfVectorizer", [feature_extraction.text.TfidfVectorizer(ngram_range=(1, 2))], "texts"),
            ("DictVectorizer", [feature_extraction.DictVectorizer(sparse=False)], "dicts")):
        # onnxruntime uses the system's locale for texts, and other locales may not be installed.
        options = {type(steps[0]): {"locale": "C"}} if data == "texts" else {}
        yield Case(f"{name}, then classes", make_pipeline(*steps, logistic()), data, options=options)
    columns = compose.ColumnTransformer([("numbers", preprocessing.StandardScaler(), ["number", "size"]),
                                         ("names", preprocessing.OneHotEncoder(), ["color", "shape"])])
    for target in ("two", "three"):
        yield Case(f"columns, then a forest, {target}", make_pipeline(columns, ensemble.RandomForestClassifier(20, max_depth=4, random_state=0)), "mixed", target)
        yield Case(f"columns, then logistic regression, {target}", make_pipeline(columns, logistic()), "mixed", target)


def list_extended() -> Iterator[Case]:
    """Yields pipelines that skl2onnx writes with onnxruntime's own operators: CDist if requested (except KNNImputer,
    which ignores the option), MurmurHash3 and Tokenizer always."""
    logistic, near, process, text = linear_model.LogisticRegression, neighbors, gaussian_process, feature_extraction.text
    kernels = process.kernels

    def with_cdist(name: str, estimator: Any, data: str = "numbers", target: str = "two", step: Any = None) -> Case:
        return Case(f"{name}, by CDist", estimator, data, target, {type(step or estimator): {"optim": "cdist"}}, "CDist")
    for target in ("two", "three", "yes-no", "levels"):
        yield with_cdist(f"neighbors, {target}", near.KNeighborsClassifier(5), target=target)
    for weights in ("uniform", "distance"):
        yield with_cdist(f"neighbors with {weights} weights", near.KNeighborsClassifier(4, weights=weights), target="three")
        yield with_cdist(f"neighbors with {weights} weights, regression", near.KNeighborsRegressor(4, weights=weights), target="number")
        yield Case(f"neighbors with {weights} weights, regression", near.KNeighborsRegressor(4, weights=weights), target="number")
    yield with_cdist("neighbors for two, regression", near.KNeighborsRegressor(3), target="numbers")
    yield with_cdist("neighbors by their squares", near.KNeighborsRegressor(3, metric="sqeuclidean"), target="number")
    yield with_cdist("a search of neighbors", make_pipeline(preprocessing.StandardScaler(), near.KNeighborsClassifier(3)), step=near.KNeighborsClassifier())
    yield with_cdist("neighbors within a radius", near.RadiusNeighborsRegressor(30.0), target="number")
    yield with_cdist("classes within a radius", near.RadiusNeighborsClassifier(30.0, outlier_label="most_frequent"))
    yield with_cdist("NearestNeighbors", near.NearestNeighbors(n_neighbors=3, radius=None))
    yield with_cdist("LocalOutlierFactor", near.LocalOutlierFactor(novelty=True))
    yield with_cdist("KernelPCA", decomposition.KernelPCA(2, kernel="rbf"))
    for name, kernel in (("RBF", kernels.RBF()), ("RationalQuadratic", kernels.RationalQuadratic()),
                         ("ExpSineSquared", kernels.ExpSineSquared()), ("Matern", kernels.Matern(nu=1.5))):
        yield with_cdist(f"Gaussian process, {name}", process.GaussianProcessRegressor(kernel, alpha=100.0, optimizer=None), target="number")

    def hasher(size: int, **more: Any) -> Any:
        return feature_extraction.FeatureHasher(size, input_type="string", dtype=np.float32, **more)
    for size in (4, 64):
        yield Case(f"FeatureHasher of {size}", hasher(size), "words", uses="MurmurHash3")
    yield Case("FeatureHasher without signs", hasher(16, alternate_sign=False), "words", uses="MurmurHash3")
    yield Case("FeatureHasher, then classes", make_pipeline(hasher(16), logistic()), "words", uses="MurmurHash3")
    yield Case("HashingVectorizer, then classes", make_pipeline(text.HashingVectorizer(n_features=64), logistic()), "texts")

    for vectorizer in (text.CountVectorizer, text.TfidfVectorizer):
        for name, settings, options in (
                ("words", {}, {}), ("words, upper case", {"lowercase": False}, {}), ("stop words", {"stop_words": ["the", "and"]}, {}),
                ("pairs of words", {"ngram_range": (2, 2)}, {}), ("once or not", {"binary": True}, {}),
                ("a pattern of its own", {"token_pattern": "[a-z]+"}, {"tokenexp": ""}),
                ("a pattern for RE2", {}, {"tokenexp": "[a-zäé]+"}),
                ("separators", {}, {"separators": [" ", "[.]", r"\\?", ",", ";", ":", r"\\!"]}),
                ("one separator", {}, {"separators": ["[^a-zäé]+"]}),
                ("characters", {"analyzer": "char"}, {}), ("pairs of characters", {"analyzer": "char", "ngram_range": (1, 2)}, {}),
                ("empty texts", {}, {"keep_empty_string": True})):
            yield Case(f"{vectorizer.__name__}: {name}", make_pipeline(vectorizer(**settings), logistic()), "sentences",
                       options={vectorizer: {"locale": "C"} | options}, uses="Tokenizer")


def list_others() -> Iterator[Case]:
    for name, estimator in (
            ("KMeans", cluster.KMeans(4, n_init=2, random_state=0)), ("MiniBatchKMeans", cluster.MiniBatchKMeans(4, n_init=2, random_state=0)),
            ("GaussianMixture", mixture.GaussianMixture(3, random_state=0)), ("IsolationForest", ensemble.IsolationForest(n_estimators=10, random_state=0)),
            ("OneClassSVM", svm.OneClassSVM()), ("LocalOutlierFactor", neighbors.LocalOutlierFactor(novelty=True)),
            ("NearestNeighbors", neighbors.NearestNeighbors(n_neighbors=3, radius=None)), ("KernelPCA", decomposition.KernelPCA(2, kernel="rbf"))):
        yield Case(name, estimator)


def list_cases() -> Iterator[Case]:
    yield from list_classifiers()
    yield from list_regressors()
    yield from list_pipelines()
    yield from list_extended()
    yield from list_others()


# -- Running ------------------------------------------------------------------------------------------------------------

class NotConverted(Exception):
    """skl2onnx has no converter, or a converter that fails or writes operators that onnxruntime lacks."""


def initial_types(data: str, features: Any) -> list[tuple[str, Any]]:
    if data == "mixed":
        return [(name, (FloatTensorType if column.dtype == np.float32 else StringTensorType)([None, 1])) for name, column in features.items()]
    if data == "dicts":
        return [("x", DictionaryType(StringTensorType([1]), FloatTensorType([1])))]
    if data in TEXTS:
        return [("x", StringTensorType([None, 1]))]
    return [("x", (StringTensorType if data == "words" else FloatTensorType)([None, features.shape[1]]))]


def make_model(case: Case) -> tuple[bytes, list[dict[str, Any]], dict[str, np.ndarray]]:
    """Returns a fitted pipeline as a model, its inputs, and some of its outputs in doubles."""
    features = make_features(case.data)
    target = make_target(case.target, features)
    fitted = features
    if case.data == "mixed":
        import pandas
        fitted = pandas.DataFrame({name: column[:, 0] for name, column in features.items()})
    case.estimator.fit(fitted, target)
    try:
        made = to_onnx(case.estimator, initial_types=initial_types(case.data, features), target_opset=OPSETS, options=case.options or None)
    except Exception as error:
        raise NotConverted(f"{type(error).__name__}: {str(error).splitlines()[0][:150]}") from error
    own = {(function.domain, function.name) for function in made.functions}
    if others := {f"{node.domain}.{node.op_type}" for node in made.graph.node
                  if node.domain not in ("", "ai.onnx.ml", MICROSOFT) and (node.domain, node.op_type) not in own}:
        raise NotConverted(f"{', '.join(sorted(others))} is no operator of the standard or of onnxruntime")
    if case.uses not in ("", *(node.op_type for node in made.graph.node)):
        raise ValueError(f"expected '{case.uses}' in what skl2onnx writes")
    if case.data == "dicts":
        feeds = [{"x": row} for row in features[:40]]
    elif case.data == "mixed":
        feeds = [features]
    else:
        feeds = [{"x": features.reshape(-1, 1) if case.data in TEXTS else features}]
    truths = {}
    if case.target in ("number", "numbers", "count"):
        truths[made.graph.output[0].name] = case.estimator.predict(features.astype(np.float64))
    if isinstance(case.estimator, neighbors.NearestNeighbors):
        truths["distance"] = case.estimator.kneighbors(features.astype(np.float64))[0]
    return made.SerializeToString(), feeds, truths


def compare(name: str, expected: Any, got: Any, truth: np.ndarray | None = None) -> Iterator[str]:
    if isinstance(expected, list):
        if not isinstance(got, list) or len(expected) != len(got):
            yield f"{name}: expected a list of {len(expected)}, but got {str(got)[:80]}"
            return
        if expected and isinstance(expected[0], dict):
            if any(list(a) != list(b) for a, b in zip(expected, got)):
                yield f"{name}: expected keys {list(expected[0])}, but got {list(got[0])}"
                return
            yield from compare(name, np.array([list(a.values()) for a in expected]), np.array([list(b.values()) for b in got]))
            return
        for index, (a, b) in enumerate(zip(expected, got)):
            yield from compare(f"{name}[{index}]", a, b)
        return
    expected, got = np.asarray(expected), np.asarray(got)
    if expected.shape != got.shape or expected.dtype.kind != got.dtype.kind:
        yield f"{name}: expected {expected.dtype}{expected.shape}, but got {got.dtype}{got.shape}"
    elif expected.dtype.kind == "f":
        scale = max(1.0, float(np.nanmax(np.abs(expected), initial=0)))
        with np.errstate(invalid="ignore"):
            apart = np.where(expected == got, 0, np.abs(expected - got))
        apart = np.where(np.isnan(expected) & np.isnan(got), 0, apart)
        slack = 0.0 if truth is None else 2 * np.max(np.abs(expected.reshape(truth.shape) - truth))
        if not np.all(apart <= max(1e-5 * scale, slack)):
            yield f"{name}: differs by {np.max(apart):.2g} where numbers are up to {scale:.3g}"
    elif not np.array_equal(expected, got):
        yield f"{name}: {np.count_nonzero(expected != got)} of {expected.size} differ"


def judge(case: Case, engine: invar_engine.Engine, folder: str) -> list[str]:
    content, feeds, truths = make_model(case)
    path = os.path.join(folder, "m.onnx")
    with open(path, "wb") as file:
        file.write(content)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads, settings.log_severity_level = 1, 4
    try:
        reference = onnxruntime.InferenceSession(content, settings)
    except Exception as error:
        raise NotConverted(f"onnxruntime: {str(error).splitlines()[0][:150]}") from error
    engine.compile(path, f"{path}.so")
    session = engine.load(f"{path}.so")
    complaints = []
    names = [node.name for node in reference.get_outputs()]
    for feed in feeds:
        expected, got = dict(zip(names, reference.run(None, feed))), dict(zip(session.outputs, session.run(feed)))
        for name in names:
            complaints += compare(name, expected[name], got[name], truths.get(name))
    session.close()
    return complaints[:3]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    engine, report = invar_engine.Engine(arguments.build), harness.Report(arguments.verbose)
    names = collections.Counter(case.name for case in list_cases())
    assert max(names.values()) == 1, names.most_common(1)
    with tempfile.TemporaryDirectory(prefix="sklearn") as folder:
        for case in list_cases():
            if arguments.only not in case.name:
                continue
            try:
                report.check(case.name, judge(case, engine, folder))
            except NotConverted as why:
                report.skip(case.name, str(why))
            except (invar_engine.NotCompiled, invar_engine.CompilerCrashed, invar_engine.RunFailed) as why:
                report.check(case.name, [str(why)[:300]])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
