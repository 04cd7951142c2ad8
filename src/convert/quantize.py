"""Quantises a GGUF file with llama.cpp's library as node-llama-cpp brings it, as llama-quantize does: quantize.py LIBRARY IN OUT TYPE."""

import ctypes
import os
import sys

# llama_ftype in llama.h.
TYPES = {
    "Q4_0": 2, "Q4_1": 3, "Q5_0": 8, "Q5_1": 9, "Q2_K": 10,
    "Q3_K_S": 11, "Q3_K_M": 12, "Q3_K_L": 13, "Q4_K_S": 14, "Q4_K_M": 15,
    "Q5_K_S": 16, "Q5_K_M": 17, "Q6_K": 18, "IQ4_NL": 25, "IQ4_XS": 30,
}  # fmt: skip


class Parameters(ctypes.Structure):
    """llama_model_quantize_params begins so in every version; the rest, as long as it may be, stays as the library fills it in."""

    _fields_ = [
        ("threads", ctypes.c_int32),
        ("type", ctypes.c_int32),
        ("rest", ctypes.c_uint8 * 1016),
    ]


library, source, target, name = sys.argv[1:]
llama = ctypes.CDLL(library)
llama.llama_model_quantize_default_params.restype = Parameters
llama.llama_model_quantize.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(Parameters)]
llama.llama_model_quantize.restype = ctypes.c_uint32

llama.llama_backend_init()
parameters = llama.llama_model_quantize_default_params()
parameters.type = TYPES[name]
sys.exit(llama.llama_model_quantize(os.fsencode(source), os.fsencode(target), ctypes.byref(parameters)))
