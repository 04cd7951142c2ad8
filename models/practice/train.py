"""Makes practice.gguf, rawcall's embedded practice model: `python models/practice/train.py` (torch, tokenizers, gguf; Node for the dialogues).

The dialogues come from dialogues.ts, so the prompts are the ones that rawcall's own templates write. The hard part is to copy
a value letter by letter into a call and a result into an answer. Hence the tokenizer, whose merges never join a letter with a
blank or a mark (a word is the same tokens wherever it stands), and the copy curriculum at the start.
"""
import argparse, collections, json, math, os, random, subprocess, time
from pathlib import Path
import gguf
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

HERE = Path(__file__).resolve().parent
CONTROL = ["<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|eom_id|>",
           "<|python_tag|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"]
USER_DEFINED = ["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"]
QWEN2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LAYERS, WIDTH, HEADS, HIDDEN, CONTEXT, ROPE, EPS = 5, 192, 6, 512, 4096, 10000.0, 1e-5
BLOCK = 256


# Tokenizer

def pre_tokenizer():
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(QWEN2), "isolated"),
                                    pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def may_merge(left, right):
    """Letters with letters, and some marks with each other; never so that a value's tokens depend on what stands beside it."""
    if left.isascii() and right.isascii() and (left + right).isalpha():
        return True
    return all(char in 'ĠĊ":{}[](),=#' for char in left + right)


def learn_merges(texts, limit):
    split = pre_tokenizer()
    counts = collections.Counter(word for text in texts for word, _ in split.pre_tokenize_str(text))
    words = [(list(word), count) for word, count in sorted(counts.items())]
    merges = []
    while len(merges) < limit:
        pairs = collections.Counter()
        for parts, count in words:
            for pair in zip(parts, parts[1:]):
                if may_merge(*pair):
                    pairs[pair] += count
        if not pairs:
            break
        left, right = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append((left, right))
        for parts, _ in words:
            at = 0
            while at < len(parts) - 1:
                if parts[at] == left and parts[at + 1] == right:
                    parts[at:at + 2] = [left + right]
                at += 1
    return merges


class Vocabulary:
    def __init__(self, merges):
        self.merges = merges
        bytes_ = sorted(pre_tokenizers.ByteLevel.alphabet())
        self.tokens = bytes_ + list(dict.fromkeys(left + right for left, right in merges))
        self.plain = len(self.tokens)
        self.tokens += CONTROL + USER_DEFINED
        self.ids = {token: index for index, token in enumerate(self.tokens)}
        plain = {token: index for index, token in enumerate(self.tokens[:self.plain])}
        self.bpe = Tokenizer(models.BPE(vocab=plain, merges=merges))
        self.bpe.pre_tokenizer = pre_tokenizer()
        self.bpe.decoder = decoders.ByteLevel()
        self.seen = {}

    def encode(self, marked):
        """Text with its control tokens between U+0001."""
        ids = []
        for index, part in enumerate(marked.split("\x01")):
            if index % 2:
                ids.append(self.ids[part])
            elif part:
                known = self.seen.get(part)
                if known is None:
                    known = self.bpe.encode(part).ids
                    if len(part) > 60:
                        self.seen[part] = known
                ids += known
        return ids

    def decode(self, ids):
        return "".join(self.tokens[i] if i >= self.plain else self.bpe.decode([i]) for i in ids)


# Data

def typescript(*args):
    command = ["npx", "tsx", str(HERE / "dialogues.ts"), *map(str, args)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=HERE.parent.parent, check=True).stdout


def dialogues(vocabulary, work, seed, count, share="training"):
    """Token ids of each dialogue, and for each token the number of the completion that it belongs to (0: none). What was made once is read again."""
    file = work / f"{share}-{seed}-{count}.jsonl"
    if not file.exists():
        file.write_text(typescript(seed, count, share))
    out = []
    for line in file.open():
        ids, owner = [], []
        for index, part in enumerate(json.loads(line)):
            encoded = vocabulary.encode(part)
            ids += encoded
            owner += [index // 2 + 1 if index % 2 else 0] * len(encoded)
        if len(ids) <= 2048:
            out.append((np.array(ids, np.int16), np.array(owner, np.int16)))
    return out


def copies(vocabulary, rng, length):
    """Spans of letters, digits and other tokens; then the same spans again in another order, to be continued from two tokens on."""
    letters = [vocabulary.ids[chr(97 + i)] for i in range(26)]
    digits = [vocabulary.ids[str(i)] for i in range(10)]
    marks = [vocabulary.ids[mark] for mark in ["Ġ", ",", ":", "\"", "Ċ", "=", "(", ".", "/", "-"]]

    def token():
        kind = rng.random()
        return rng.choice(letters) if kind < .5 else rng.choice(digits) if kind < .7 else rng.choice(marks) if kind < .75 else rng.randrange(vocabulary.plain)

    spans = []
    while sum(map(len, spans)) + len(spans) < length // 2:
        few = [token() for _ in range(rng.randint(3, 8))]
        # Some spans are made of few different tokens, where the last token alone does not say how to go on.
        spans.append([rng.choice(few) if rng.random() < .5 else token() for _ in range(rng.randint(4, 20))])
    ids, owner = [vocabulary.ids["<|im_start|>"]], [0]
    for span in spans:
        ids += span + [rng.choice(marks)]
        owner += [0] * (len(span) + 1)
    for span in rng.sample(spans, len(spans)):
        ids += span + [vocabulary.ids["<|im_end|>"]]
        owner += [0, 0] + [1] * (len(span) - 2) + [0]
    return np.array(ids, np.int16), np.array(owner, np.int16)


def batches(sequences, rng, budget):
    """Sequences of like length together, about `budget` tokens with their padding, in random order."""
    order = sorted(range(len(sequences)), key=lambda i: (len(sequences[i][0]) + rng.randint(0, 40)))
    groups, group, longest = [], [], 0
    for index in order:
        longest = max(longest, len(sequences[index][0]))
        if group and (len(group) + 1) * longest > budget:
            groups.append(group)
            group, longest = [], len(sequences[index][0])
        group.append(sequences[index])
    groups.append(group)
    rng.shuffle(groups)
    return groups


def tensors(group):
    longest = max(len(ids) for ids, _ in group)
    ids = torch.zeros(len(group), longest, dtype=torch.long)
    owner = torch.zeros(len(group), longest, dtype=torch.long)
    for row, (tokens, owners) in enumerate(group):
        ids[row, :len(tokens)] = torch.from_numpy(tokens.astype(np.int64))
        owner[row, :len(tokens)] = torch.from_numpy(owners.astype(np.int64))
    return ids, owner


# Model: Llama as llama.cpp computes it, with interleaved rotary pairs, so that no weight needs permuting. Weights, the residual stream and
# the optimizer are float32, products bfloat16.

class Scale(torch.autograd.Function):
    """RMS norm of float32 to bfloat16, in half of F.rms_norm's time."""
    @staticmethod
    def forward(ctx, x, weight):
        size = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        factor = (size.square_() / WIDTH + EPS).rsqrt_()
        normal = (x * factor).bfloat16()
        ctx.save_for_backward(normal, factor, weight)
        return normal * weight.bfloat16()

    @staticmethod
    def backward(ctx, gradient):
        normal, factor, weight = ctx.saved_tensors
        of_weight = torch.einsum("...d,...d->d", gradient, normal).float()
        gradient = gradient * weight.bfloat16()
        mean = (gradient * normal).mean(-1, keepdim=True)
        return torch.addcmul(gradient, normal, mean, value=-1) * factor, of_weight


class Attention(torch.autograd.Function):
    """Causal, a block of queries at a time: what comes after the block is not computed at all."""
    @staticmethod
    def forward(ctx, q, k, v):
        mask = torch.full((BLOCK, BLOCK), -torch.inf, dtype=q.dtype).triu(1)
        weights, out = [], []
        for first in range(0, q.shape[1], BLOCK):
            end = min(first + BLOCK, q.shape[1])
            later = F.pad(mask[:end - first, :end - first], (first, 0))
            weights.append(F.softmax(torch.baddbmm(later, q[:, first:end], k[:, :end].mT), -1))
            out.append(weights[-1] @ v[:, :end])
        ctx.save_for_backward(q, k, v, *weights)
        return torch.cat(out, 1)

    @staticmethod
    def backward(ctx, gradient):
        q, k, v, *weights = ctx.saved_tensors
        gq, gk, gv = [], torch.zeros_like(k), torch.zeros_like(v)
        for first, seen in zip(range(0, q.shape[1], BLOCK), weights):
            end = first + seen.shape[1]
            here = gradient[:, first:end]
            gv[:, :end].baddbmm_(seen.mT, here)
            scores = torch._softmax_backward_data(here @ v[:, :end].mT, seen, -1, seen.dtype)
            gk[:, :end].baddbmm_(scores.mT, q[:, first:end])
            gq.append(scores @ k[:, :end])
        return torch.cat(gq, 1), gk, gv


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return Scale.apply(x, self.weight)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        linear = lambda a, b: nn.Linear(a, b, bias=False)
        self.attn_norm, self.ffn_norm = Norm(), Norm()
        self.q, self.k, self.v, self.o = (linear(WIDTH, WIDTH) for _ in range(4))
        self.gate, self.up, self.down = linear(WIDTH, HIDDEN), linear(WIDTH, HIDDEN), linear(HIDDEN, WIDTH)
        for layer in (self.o, self.down):
            nn.init.normal_(layer.weight, std=.02 / math.sqrt(2 * LAYERS))

    def forward(self, x, turns):
        batch, length, _ = x.shape
        size = WIDTH // HEADS
        q, k, v = product(self.attn_norm(x), self.q, self.k, self.v).view(batch, length, 3, HEADS, size).permute(2, 0, 3, 1, 4)
        flat = lambda y: y.reshape(batch * HEADS, length, size)
        attended = Attention.apply(flat(rotate(q, turns * size ** -.5)), flat(rotate(k, turns)), flat(v))
        x = x + product(attended.view(batch, HEADS, length, size).transpose(1, 2).reshape(batch, length, WIDTH), self.o)
        gate, up = product(self.ffn_norm(x), self.gate, self.up).chunk(2, -1)
        return x + product(F.silu(gate) * up, self.down)


def product(x, *layers):
    return F.linear(x, torch.cat([layer.weight for layer in layers]).bfloat16())


def rotate(x, turns):
    pairs = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * turns).flatten(-2).bfloat16()


class Llama(nn.Module):
    def __init__(self, vocabulary_size):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary_size, WIDTH)
        nn.init.normal_(self.embedding.weight, std=.02)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = Norm()
        size = WIDTH // HEADS
        angles = torch.outer(torch.arange(CONTEXT).float(), ROPE ** (-torch.arange(0, size, 2).float() / size))
        self.register_buffer("turns", torch.polar(torch.ones_like(angles), angles), persistent=False)

    def hidden(self, ids):
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, self.turns[:ids.shape[1]])
        return x

    def logits(self, hidden):
        return F.linear(self.norm(hidden), self.embedding.weight.bfloat16()).float()


def trained_logits(model, ids, owner):
    """Only where something is to be learnt; the rest of the vocabulary layer's work is saved."""
    wanted = owner[:, 1:] > 0
    return model.logits(model.hidden(ids[:, :-1])[wanted]), ids[:, 1:][wanted], wanted


class Muon:
    """Momentum whose step is made orthogonal, for the matrices; it learns this task in far fewer tokens than Adam."""
    def __init__(self, parameters, lr, momentum=.95, decay=.01):
        self.groups = collections.defaultdict(list)
        for parameter in parameters:
            self.groups[parameter.shape].append(parameter)
        self.lr, self.momentum, self.decay = lr, momentum, decay
        self.state = {shape: torch.zeros(len(group), *shape) for shape, group in self.groups.items()}

    @torch.no_grad()
    def step(self, factor):
        for shape, group in self.groups.items():
            gradient = torch.stack([parameter.grad for parameter in group])
            state = self.state[shape].lerp_(gradient, 1 - self.momentum)
            update = newton_schulz(gradient.lerp(state, self.momentum)) * max(1, shape[0] / shape[1]) ** .5
            for parameter, change in zip(group, update):
                parameter.mul_(1 - self.lr * factor * self.decay).sub_(change, alpha=self.lr * factor)


def newton_schulz(x):
    tall = x.shape[-2] > x.shape[-1]
    if tall:
        x = x.mT
    x = (x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)).bfloat16()
    for _ in range(5):
        square = x @ x.mT
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return (x.mT if tall else x).float()


@torch.no_grad()
def evaluate(model, held_out):
    """The share of completions that come out right, token by token: what greedy decoding would write. Calls, further calls and answers apart."""
    model.eval()
    right, count = collections.Counter(), collections.Counter()
    for group in held_out:
        ids, owner = tensors(group)
        logits, targets, wanted = trained_logits(model, ids, owner)
        correct = (logits.argmax(-1) == targets)
        rows = torch.arange(len(group))[:, None].expand_as(wanted)[wanted]
        keys = rows * 1000 + owner[:, 1:][wanted]
        before = None
        # In order, so that a call which comes behind another one of its dialogue is counted apart.
        for key in keys.unique().tolist():
            mine = keys == key
            calls = targets[mine][0].item() in CALL_OPENINGS
            kind = "answer" if not calls else "further call" if before == key - 1 else "call"
            before = key if calls else None
            count[kind] += 1
            right[kind] += bool(correct[mine].all())
    model.train()
    return {kind: round(right[kind] / count[kind], 4) for kind in sorted(count)}


CALL_OPENINGS = set()


# GGUF

def weight_names(model):
    """The GGUF's tensors and the weights that they hold."""
    yield "token_embd.weight", model.embedding.weight
    yield "output_norm.weight", model.norm.weight
    for index, block in enumerate(model.blocks):
        for name, layer in {"attn_norm": block.attn_norm, "attn_q": block.q, "attn_k": block.k, "attn_v": block.v, "attn_output": block.o,
                            "ffn_norm": block.ffn_norm, "ffn_gate": block.gate, "ffn_up": block.up, "ffn_down": block.down}.items():
            yield f"blk.{index}.{name}.weight", layer.weight


class Start:
    """What a run goes on from: an earlier edition's GGUF, dequantised, or a checkpoint."""
    def __init__(self, path):
        self.path = path
        if path.suffix == ".gguf":
            self.reader = gguf.GGUFReader(str(path))
            self.merges = [tuple(merge.split(" ")) for merge in self.reader.fields["tokenizer.ggml.merges"].contents()]
        else:
            self.checkpoint = torch.load(path, weights_only=False)
            self.merges = self.checkpoint["merges"]

    @torch.no_grad()
    def load_into(self, model):
        if self.path.suffix != ".gguf":
            model.load_state_dict(self.checkpoint["model"])
            return
        tensors = {one.name: gguf.quants.dequantize(one.data, one.tensor_type) for one in self.reader.tensors}
        for name, weight in weight_names(model):
            weight.copy_(torch.from_numpy(tensors[name].astype(np.float32)))


def export(model, vocabulary, path):
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("rawcall practice")
    writer.add_description("A very small model to practise tool calls with; it knows the built-in servers' questions and little else.")
    writer.add_license("MIT")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(EPS)
    writer.add_rope_freq_base(ROPE)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(vocabulary.tokens))
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    kinds = gguf.TokenType
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(vocabulary.tokens)
    writer.add_token_types([kinds.NORMAL] * vocabulary.plain + [kinds.CONTROL] * len(CONTROL) + [kinds.USER_DEFINED] * len(USER_DEFINED))
    writer.add_token_merges([" ".join(merge) for merge in vocabulary.merges])
    ids = vocabulary.ids
    writer.add_bos_token_id(ids["<|begin_of_text|>"])
    writer.add_eos_token_id(ids["<|im_end|>"])
    writer.add_eot_token_id(ids["<|eot_id|>"])
    writer.add_eom_token_id(ids["<|eom_id|>"])
    writer.add_pad_token_id(ids["<|endoftext|>"])
    writer.add_add_bos_token(False)
    writer.add_chat_template((HERE / "chat_template.jinja").read_text())

    def add(name, weight):
        data = weight.detach().float().numpy()
        if data.ndim == 1:
            writer.add_tensor(name, data)
        else:
            packed = gguf.quants.quantize(data, gguf.GGMLQuantizationType.Q8_0)
            writer.add_tensor(name, packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)

    for name, weight in weight_names(model):
        add(name, weight)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


# The run

def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=3000)
    options.add_argument("--minutes", type=float, default=math.inf, help="end by then, the learning rate lowered in time")
    options.add_argument("--batch", type=int, default=8192, help="tokens a step")
    options.add_argument("--dialogues", type=int, default=30000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--lr", type=float, default=.02)
    options.add_argument("--adam-lr", type=float, default=3e-3)
    options.add_argument("--copy-steps", type=int, default=200)
    options.add_argument("--bare-part", type=float, default=.4)
    options.add_argument("--work", type=Path, default=HERE / "work", help="dialogues and checkpoints (not committed)")
    options.add_argument("--out", type=Path, default=HERE / "practice.gguf")
    options.add_argument("--from", dest="start", type=Path, help="a checkpoint or a GGUF of an earlier run to go on from")
    options.add_argument("--export-only", action="store_true")
    options = options.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    torch.set_num_threads(int(os.environ.get("THREADS", "2")))
    rng = random.Random(options.seed)

    start = Start(options.start) if options.start else None
    merges = start.merges if start else learn_merges(json.loads(typescript("fixed-text")), 1400)
    vocabulary = Vocabulary(merges)
    CALL_OPENINGS.update({vocabulary.ids["["], vocabulary.ids["<tool_call>"]})
    model = Llama(len(vocabulary.tokens))
    if start:
        start.load_into(model)
    if options.export_only:
        return export(model, vocabulary, options.out)
    print(f"vocabulary {len(vocabulary.tokens)}, parameters {sum(p.numel() for p in model.parameters()):,}", flush=True)

    # Without the tools' schemas a dialogue is a third as long and asks for the same copying, so that comes first.
    bare = dialogues(vocabulary, options.work, options.seed + 1, options.dialogues // 2, "bare") if options.bare_part > 0 else []
    data = dialogues(vocabulary, options.work, options.seed, options.dialogues)
    held_out = batches(dialogues(vocabulary, options.work, 7_000_001, 60, "evaluation"), rng, options.batch)
    sizes = np.array([len(ids) for ids, _ in data])
    shares = np.mean([np.mean(owner > 0) for _, owner in data])
    short = np.array([len(ids) for ids, _ in bare])
    print(f"bare: {short.sum():,} tokens, mean {short.mean():.0f}, trained {np.mean([np.mean(owner > 0) for _, owner in bare]):.2f}")
    print(f"{len(data)} dialogues, {sizes.sum():,} tokens, mean {sizes.mean():.0f}, 90th {np.percentile(sizes, 90):.0f}, trained {shares:.2f}", flush=True)

    matrices = [p for p in model.blocks.parameters() if p.ndim == 2]
    others = [model.embedding.weight, *(p for p in model.parameters() if p.ndim == 1)]
    muon = Muon(matrices, options.lr)
    adam = torch.optim.AdamW(others, lr=options.adam_lr, betas=(.9, .95), weight_decay=0)

    step, tokens, started, losses, evaluated = 0, 0, time.time(), [], time.time()
    progress = 0
    queue, bare_queue = [], []
    while progress < 1:
        copy_share = 1 if step < options.copy_steps / 2 else .4 if step < options.copy_steps else .04
        if rng.random() < copy_share:
            length = rng.choice([64, 128, 256, 400])
            group = [copies(vocabulary, rng, length) for _ in range(options.batch // 2 // length)]
        elif progress < options.bare_part or bare and rng.random() < .08:
            if not bare_queue:
                bare_queue = batches(bare, rng, options.batch)
            group = bare_queue.pop()
        else:
            if not queue:
                queue = batches(data, rng, options.batch)
            group = queue.pop()
        ids, owner = tensors(group)
        progress = max((step + 1) / options.steps, (time.time() - started) / 60 / options.minutes)
        factor = min(1, (step + 1) / 40, max(0.0, (1 - progress) / .5))
        for setting in adam.param_groups:
            setting["lr"] = options.adam_lr * factor
        logits, targets, _ = trained_logits(model, ids, owner)
        loss = F.cross_entropy(logits, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(others, 1.0)
        muon.step(factor)
        adam.step()
        model.zero_grad(set_to_none=True)
        step += 1
        tokens += ids.numel()
        losses.append(loss.item())
        if step % 20 == 0:
            print(f"step {step} loss {np.mean(losses[-20:]):.4f} last {losses[-1]:.4f} tokens {tokens / 1e6:.2f}M {tokens / (time.time() - started):.0f}/s "
                  f"{(time.time() - started) / 60:.1f} min lr {factor:.2f}", flush=True)
        if time.time() - evaluated > 420 or progress >= 1:
            print(f"held out at step {step}: {evaluate(model, held_out)}", flush=True)
            torch.save({"model": model.state_dict(), "merges": merges, "step": step}, options.work / f"step-{step}.pt")
            export(model, vocabulary, options.work / "practice.gguf")
            evaluated = time.time()
    export(model, vocabulary, options.out)
    print(f"{options.out.name}: {options.out.stat().st_size:,} bytes after {(time.time() - started) / 60:.0f} minutes, {tokens / 1e6:.0f} M tokens")


if __name__ == "__main__":
    main()
