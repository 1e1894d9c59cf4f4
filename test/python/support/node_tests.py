# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Facts about the onnx package's backend tests that several drivers need."""
import numpy as np
import onnx
from onnx import helper, numpy_helper


def by_name(names_of: dict[str, str]) -> dict[str, str]:
    return {f"test_{name}": why for why, names in names_of.items() for name in names.split()}


# Cases that are not folded if all their inputs are constants, and the reason of each. A listed case that is folded
# counts as failed.
NOT_FOLDED = by_name({
    "it would make the model 160 KB bigger, which --max-growth must allow": "tile",
    "an input is a sequence or an optional, which no initializer can be": """
        identity_opt identity_sequence loop13_seq loop16_seq_none optional_get_element_optional_sequence
        optional_get_element_optional_tensor optional_get_element_sequence optional_has_element_empty_optional_input
        optional_has_element_optional_input optional_has_element_tensor_input sequence_insert_at_back
        sequence_insert_at_front sequence_map_add_1_sequence_1_tensor sequence_map_add_1_sequence_1_tensor_expanded
        sequence_map_add_2_sequences sequence_map_add_2_sequences_expanded sequence_map_extract_shapes
        sequence_map_extract_shapes_expanded sequence_map_identity_1_sequence sequence_map_identity_1_sequence_1_tensor
        sequence_map_identity_1_sequence_1_tensor_expanded sequence_map_identity_1_sequence_expanded
        sequence_map_identity_2_sequences sequence_map_identity_2_sequences_expanded""",
    "the output is a sequence or an optional, which no initializer can be": """
        if_opt if_seq split_to_sequence_1 split_to_sequence_2 split_to_sequence_nokeepdims""",
    "the outputs are random": """
        bernoulli bernoulli_double bernoulli_double_expanded bernoulli_expanded bernoulli_seed bernoulli_seed_expanded
        training_dropout training_dropout_default training_dropout_default_mask training_dropout_mask""",
    "no decoder of images is linked": """
        image_decoder_decode_bmp_rgb image_decoder_decode_jpeg2k_rgb image_decoder_decode_jpeg_bgr
        image_decoder_decode_jpeg_grayscale image_decoder_decode_jpeg_rgb image_decoder_decode_png_rgb
        image_decoder_decode_pnm_rgb image_decoder_decode_tiff_rgb image_decoder_decode_webp_rgb""",
})

# Cases that are not compiled, and the reason of each. A listed case that passes counts as failed.
NOT_COMPILED = by_name({
    "the runtime has no decoders of images":
        "image_decoder_decode_bmp_rgb image_decoder_decode_jpeg2k_rgb image_decoder_decode_jpeg_bgr "
        "image_decoder_decode_jpeg_grayscale image_decoder_decode_jpeg_rgb image_decoder_decode_png_rgb "
        "image_decoder_decode_pnm_rgb image_decoder_decode_tiff_rgb image_decoder_decode_webp_rgb",
    "derivatives of a graph are not computed":
        "gradient_of_add gradient_of_add_and_mul",
})


def with_constants(case) -> onnx.ModelProto:
    """Returns the model of the case, with all inputs as initializers that can be one."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    inputs = list(model.graph.input)
    del model.graph.input[:]
    for info, value in zip(inputs, case.data_sets[0][0]):
        if not info.type.HasField("tensor_type"):
            model.graph.input.append(info)
            continue
        element = info.type.tensor_type.elem_type
        if isinstance(value, onnx.TensorProto):
            model.graph.initializer.add().CopyFrom(value)
        elif element == onnx.TensorProto.STRING:
            model.graph.initializer.append(numpy_helper.from_array(np.asarray(value, object)))
        else:
            value = np.asarray(value).astype(helper.tensor_dtype_to_np_dtype(element), copy=False)
            model.graph.initializer.append(numpy_helper.from_array(value))
        model.graph.initializer[-1].name = info.name
    return model
