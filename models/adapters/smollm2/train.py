"""Makes smollm2-tools.gguf, a LoRA adapter that has SmolLM2-135M-Instruct call tools: `python train.py --base smollm2.gguf` (torch, numpy, gguf;
Node for the dialogues).

The base is the quantised file itself, dequantised: what the adapter corrects is what will run. Its weights stay as they are, in
bfloat16; the adapter's are float32. The dialogues come from dialogues.ts as token ids, so prompts are those that rawcall's own
templates write and its own tokenizer reads. A dialogue is a tree: several questions about the same tools share one evaluation of the
prompt that they begin with, and none sees another.
"""
import argparse, json, math, random, signal, subprocess, time
from pathlib import Path
import gguf
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
# Those that have the same input side by side.
PROJECTIONS = [["attn_q", "attn_k", "attn_v"], ["attn_output"], ["ffn_gate", "ffn_up"], ["ffn_down"]]


# The base

class Base:
    """What the GGUF holds: shapes from its metadata, weights dequantised."""
    def __init__(self, path):
        reader = gguf.GGUFReader(str(path))
        field = lambda key: reader.fields[f"llama.{key}"].contents()
        self.layers, self.heads, self.kv_heads = field("block_count"), field("attention.head_count"), field("attention.head_count_kv")
        self.width, self.rope, self.eps = field("embedding_length"), field("rope.freq_base"), field("attention.layer_norm_rms_epsilon")
        self.name = reader.fields["general.name"].contents()
        self.weights = {one.name: torch.from_numpy(gguf.quants.dequantize(one.data, one.tensor_type).astype(np.float32)).to(torch.bfloat16)
                        for one in reader.tensors}

    def __getitem__(self, name):
        return self.weights[name]


# The model: Llama as llama.cpp computes it, with interleaved rotary pairs, so that no weight needs permuting

class Adapted(nn.Module):
    """
    Projections of the same input and the correction of each, of low rank, as one product: what the input is in low rank stands beside it, and
    the second matrices of the corrections beside the weights.
    """
    def __init__(self, weights, rank, alpha):
        super().__init__()
        self.sizes, self.rank, self.scale = [len(weight) for weight in weights], rank, alpha / rank
        width = weights[0].shape[1]
        self.a = nn.Parameter(torch.empty(len(weights) * rank, width))
        self.b = nn.ParameterList(torch.zeros(size, rank) for size in self.sizes)
        nn.init.kaiming_uniform_(self.a, a=math.sqrt(5))
        whole = torch.zeros(sum(self.sizes), width + len(weights) * rank, dtype=torch.bfloat16)
        whole[:, :width] = torch.cat(weights)
        self.register_buffer("whole", whole, persistent=False)

    def blocks(self, beside):
        """Of what stands beside the weights, the parts that are not nothing."""
        rows = beside.split(self.sizes)
        return [row[:, index * self.rank:(index + 1) * self.rank] for index, row in enumerate(rows)]

    @torch.no_grad()
    def take_over(self):
        """After a step."""
        for block, b in zip(self.blocks(self.whole[:, self.a.shape[1]:]), self.b):
            block.copy_(b * self.scale)

    def forward(self, x):
        return Product.apply(x, self, self.a, *self.b).split(self.sizes, -1)


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, layer, a, *_):
        low = a.to(x.dtype)
        both = torch.cat((x, F.linear(x, low)), -1)
        ctx.save_for_backward(both, low)
        ctx.layer = layer
        return F.linear(both, layer.whole)

    @staticmethod
    def backward(ctx, gradient):
        (both, low), layer = ctx.saved_tensors, ctx.layer
        x, h = both.split([low.shape[1], low.shape[0]], -1)
        gx, gh = (gradient @ layer.whole).split([low.shape[1], low.shape[0]], -1)
        gh = gh.contiguous()
        parts = zip(gradient.split(layer.sizes, -1), h.split(layer.rank, -1))
        gb = [(part.T @ beside).float() * layer.scale for part, beside in parts]
        return torch.addmm(gx, gh, low), None, (gh.T @ x).float(), *gb


class Norm(torch.autograd.Function):
    """F.rms_norm in half of its time."""
    @staticmethod
    def forward(ctx, x, weight, eps):
        size = torch.linalg.vector_norm(x, dim=-1, keepdim=True, dtype=torch.float)
        factor = (size.square_() / x.shape[-1] + eps).rsqrt_().to(x.dtype)
        normal = x * factor
        ctx.save_for_backward(normal, factor, weight)
        return normal * weight

    @staticmethod
    def backward(ctx, gradient):
        normal, factor, weight = ctx.saved_tensors
        gradient = gradient * weight
        mean = (gradient * normal).mean(-1, keepdim=True)
        return torch.addcmul(gradient, normal, mean, value=-1).mul_(factor), None, None


class Rotation(torch.autograd.Function):
    """Pairs of neighbours are turned; `sin` has the sign of each member of a pair."""
    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        return turned(x, cos, sin)

    @staticmethod
    def backward(ctx, gradient):
        cos, sin = ctx.saved_tensors
        return turned(gradient, cos, -sin), None, None


def turned(x, cos, sin):
    swapped = x.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)
    return torch.addcmul(x * cos, swapped, sin)


class Block(nn.Module):
    def __init__(self, base, index, rank, alpha):
        super().__init__()
        self.base = base
        for name in ("attn_norm", "ffn_norm"):
            self.register_buffer(name, base[f"blk.{index}.{name}.weight"], persistent=False)
        adapted = lambda names: Adapted([base[f"blk.{index}.{name}.weight"] for name in names], rank, alpha)
        self.adapted = nn.ModuleList(adapted(names) for names in PROJECTIONS)

    def forward(self, x, cos, sin, trees):
        base, length = self.base, x.shape[0]
        qkv, output, gate_up, down = self.adapted
        q, k, v = qkv(Norm.apply(x, self.attn_norm, base.eps))
        # Each key is read by as many queries as there are heads to a group.
        size, groups = base.width // base.heads, base.kv_heads
        q = Rotation.apply(q.view(length, base.heads, size), cos * size ** -.5, sin * size ** -.5).view(length, groups, -1, size).permute(1, 2, 0, 3)
        k = Rotation.apply(k.view(length, groups, size), cos, sin).transpose(0, 1)
        v = v.view(length, groups, size).transpose(0, 1)
        seen = torch.cat([*attend(q, k, v, trees)], 2)
        x = x + output(seen.permute(2, 0, 1, 3).reshape(length, base.width))[0]
        gate, up = gate_up(Norm.apply(x, self.ffn_norm, base.eps))
        return x + down(F.silu(gate) * up)[0]


def attend(q, k, v, trees):
    """The beginning of a tree sees itself, each branch the beginning and itself."""
    lengths = [count for tree in trees for count, _ in tree]
    parts = zip(q.split(lengths, 2), k.split(lengths, 1), v.split(lengths, 1))
    for tree in trees:
        beginning = None
        for count, later in tree:
            queries, keys, values = next(parts)
            if beginning is None:
                beginning = keys, values
            else:
                keys, values = torch.cat((beginning[0], keys), 1), torch.cat((beginning[1], values), 1)
            groups, heads, _, size = queries.shape
            flat = queries.reshape(groups, heads * count, size)
            weights = F.softmax(torch.baddbmm(later, flat, keys.transpose(1, 2)), -1)
            yield (weights @ values).view(groups, heads, count, size)


class Llama(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        self.blocks = nn.ModuleList(Block(base, index, rank, alpha) for index in range(base.layers))

    def take_over(self):
        for block in self.blocks:
            for layer in block.adapted:
                layer.take_over()

    def forward(self, batch):
        """Logits only where something is to be learnt: most of the vocabulary layer's work is saved."""
        base = self.base
        size = base.width // base.heads
        angles = torch.outer(batch.positions.float(), base.rope ** (-torch.arange(0, size, 2).float() / size))[:, None]
        cos = angles.cos().repeat_interleave(2, -1).to(torch.bfloat16)
        sin = (angles.sin()[..., None] * torch.tensor([-1., 1.])).flatten(-2).to(torch.bfloat16)
        trees = [[(count, self.later(count, count if index == 0 else tree[0] + count)) for index, count in enumerate(tree)] for tree in batch.trees]
        x = F.embedding(batch.ids, base["token_embd.weight"])
        for block in self.blocks:
            x = block(x, cos, sin, trees)
        x = F.rms_norm(x[batch.before], (base.width,), base["output_norm.weight"], base.eps)
        return F.linear(x, base["token_embd.weight"]).float()

    def later(self, count, seen):
        """Takes what comes later out of sight, for each head of a group."""
        mask = torch.full((count, count), -torch.inf, dtype=torch.bfloat16).triu(1)
        return F.pad(mask, (seen - count, 0)).repeat(self.base.heads // self.base.kv_heads, 1)


# Data

class Tree:
    """A prompt's beginning and the dialogues that go on from it. `learn`: for each token, the number of the completion that it belongs to (0: none)."""
    def __init__(self, line):
        beginning = line["prefix"]
        ids, positions, learn, self.lengths = [*beginning], [*range(len(beginning))], [0] * len(beginning), [len(beginning)]
        for number, one in enumerate(line["branches"], 1):
            ids += one["ids"]
            positions += range(len(beginning), len(beginning) + len(one["ids"]))
            marks = [0] * len(one["ids"])
            for turn, (first, end) in enumerate(one["learn"]):
                marks[first:end] = [number * 100 + turn] * (end - first)
            assert marks[0] == 0, "a branch begins with a prompt"
            learn += marks
            self.lengths.append(len(one["ids"]))
        self.ids, self.positions, self.learn = torch.tensor(ids), torch.tensor(positions), torch.tensor(learn)

    def __len__(self):
        return len(self.ids)


class Batch:
    """Trees behind each other; `trees` has how long the parts of each are."""
    def __init__(self, trees):
        join = lambda name: torch.cat([getattr(tree, name) for tree in trees])
        self.ids, self.positions, learn = join("ids"), join("positions"), join("learn")
        self.trees = [tree.lengths for tree in trees]
        at = learn.nonzero()[:, 0]
        self.before, self.targets = at - 1, self.ids[at]
        self.completion = (torch.repeat_interleave(torch.arange(len(trees)), torch.tensor([len(tree) for tree in trees])) * 10000 + learn)[at]


def dialogues(options, seed, count, share="training"):
    """What was made once is read again by a run that goes on."""
    file = options.work / f"{share}-{seed}-{count}.jsonl"
    if not file.exists():
        command = ["npx", "tsx", str(HERE / "dialogues.ts"), "--base", str(options.base.resolve()), "--seed", str(seed), "--count", str(count), "--share", share]
        file.write_text(subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, check=True).stdout)
    return [Tree(json.loads(line)) for line in file.read_text().splitlines()]


def batches(trees, rng, budget):
    """About `budget` tokens each, in random order."""
    order = [*trees]
    rng.shuffle(order)
    groups, group, size = [], [], 0
    for tree in order:
        if group and size + len(tree) > budget:
            groups.append(group)
            group, size = [], 0
        group.append(tree)
        size += len(tree)
    return [*groups, group]


@torch.no_grad()
def evaluate(model, held_out):
    """The loss, and the share of completions that greedy decoding would write to the letter."""
    losses, right = [], []
    for group in held_out:
        batch = Batch(group)
        logits = model(batch)
        losses.append(F.cross_entropy(logits, batch.targets).item())
        correct = logits.argmax(-1) == batch.targets
        right += [bool(correct[batch.completion == one].all()) for one in batch.completion.unique()]
    return float(np.mean(losses)), float(np.mean(right))


# GGUF

def export(model, options, path):
    base = model.base
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, float(options.alpha))
    writer.add_name("SmolLM2-135M-Instruct tools")
    writer.add_description("Has SmolLM2-135M-Instruct call tools in the layouts of Hermes and Qwen; made by rawcall's models/adapters/smollm2.")
    writer.add_license("Apache-2.0")
    for index, block in enumerate(model.blocks):
        for names, layer in zip(PROJECTIONS, block.adapted):
            for name, a, b in zip(names, layer.a.split(layer.rank), layer.b):
                writer.add_tensor(f"blk.{index}.{name}.weight.lora_a", a.detach().to(torch.float16).numpy())
                writer.add_tensor(f"blk.{index}.{name}.weight.lora_b", b.detach().to(torch.float16).numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


# The run

def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", type=Path, required=True, help="SmolLM2-135M-Instruct, the GGUF")
    parser.add_argument("--until", help="end by then (HH:MM), the learning rate lowered in time")
    parser.add_argument("--minutes", type=float, default=60, help="where no --until is given")
    parser.add_argument("--dialogues", type=int, default=600, help="trees of five to eight questions")
    parser.add_argument("--batch", type=int, default=1100, help="tokens a step")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--alpha", type=float, default=32)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=Path, default=HERE / "work", help="checkpoints (not committed); a run that was stopped goes on from there")
    parser.add_argument("--out", type=Path, default=HERE / "smollm2-tools.gguf")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    rng = random.Random(options.seed)

    started = time.time()
    ends = started + 60 * options.minutes
    if options.until:
        hour, minute = map(int, options.until.split(":"))
        now = time.localtime()
        ends = time.mktime((*now[:3], hour, minute, 0, 0, 0, now.tm_isdst))
    model = Llama(Base(options.base), options.rank, options.alpha)
    trained = [one for one in model.parameters() if one.requires_grad]
    adam = torch.optim.AdamW(trained, lr=options.lr, betas=(.9, .99), weight_decay=0)
    checkpoint = options.work / "checkpoint.pt"
    state = {"step": 0, "tokens": 0, "spent": 0.0, "best": math.inf}
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(saved["model"])
        model.take_over()
        adam.load_state_dict(saved["adam"])
        state = saved["state"]
        print(f"goes on from step {state['step']}", flush=True)
    trees = dialogues(options, options.seed, options.dialogues)
    held_out = batches(dialogues(options, 7_000_001, 12, "evaluation"), random.Random(1), options.batch)
    # A run that goes on does not begin with the same dialogues again.
    rng.seed(options.seed + state["step"])
    sizes = np.array([len(tree) for tree in trees])
    learnt = np.mean([(tree.learn > 0).float().mean() for tree in trees])
    print(f"{sum(one.numel() for one in trained):,} parameters; {len(trees)} trees, {sizes.sum():,} tokens, mean {sizes.mean():.0f}, "
          f"longest {sizes.max()}, {100 * learnt:.0f} % learnt; data in {time.time() - started:.0f} s", flush=True)

    before, began, evaluated, losses, queue = state["spent"], time.time(), time.time(), [], []
    total = before + ends - began

    def keep():
        half_written = checkpoint.with_suffix(".part")
        torch.save({"model": model.state_dict(), "adam": adam.state_dict(), "state": state}, half_written)
        half_written.replace(checkpoint)

    def compare():
        loss, right = evaluate(model, held_out)
        better = loss < state["best"]
        state["best"] = min(loss, state["best"])
        print(f"held out at step {state['step']}: loss {loss:.4f}, {100 * right:.1f} % of completions to the letter{', the best so far' if better else ''}", flush=True)
        if better:
            export(model, options, options.work / "best.gguf")

    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    while time.time() < ends:
        if stopped:
            return keep()
        queue = queue or batches(trees, rng, options.batch)
        batch = Batch(queue.pop())
        progress = min(1, (before + time.time() - began) / total)
        factor = min(1, (state["step"] + 1) / 10) * max(.02, .5 * (1 + math.cos(math.pi * progress)))
        for group in adam.param_groups:
            group["lr"] = options.lr * factor
        loss = F.cross_entropy(model(batch), batch.targets)
        loss.backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        adam.step()
        adam.zero_grad(set_to_none=True)
        model.take_over()
        state["step"] += 1
        state["tokens"] += len(batch.ids)
        state["spent"] = before + time.time() - began
        losses.append(loss.item())
        if state["step"] % 10 == 0:
            print(f"step {state['step']} loss {np.mean(losses[-10:]):.4f} tokens {state['tokens'] / 1e6:.2f} M {state['tokens'] / state['spent']:.0f}/s "
                  f"{state['spent'] / 60:.1f} min", flush=True)
        if state["step"] % 25 == 0:
            keep()
        if time.time() - evaluated > 1500:
            compare()
            evaluated = time.time()
    compare()
    keep()
    (options.work / "best.gguf").replace(options.out)
    print(f"{options.out.name}: {options.out.stat().st_size:,} bytes, {state['tokens'] / 1e6:.2f} M tokens in {state['spent'] / 60:.0f} minutes", flush=True)


if __name__ == "__main__":
    main()
