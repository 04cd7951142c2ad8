/** Rounds: what is asked for side by side begins together, and nobody waits for one who does not come. */
import { expect, test } from 'vitest';
import { openRounds } from '../../src/engine/llama/rounds.ts';

const turn = () => new Promise<void>(resolve => setImmediate(resolve));

/** Steps that say when they begin, and end when they are told to. */
function scene() {
  const rounds = openRounds();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    rounds,
    begun,
    run: (name: string) => () => {
      begun.push(name);
      return new Promise<void>(resolve => ends.set(name, resolve));
    },
    end: (name: string) => ends.get(name)!(),
    member() {
      const member = rounds.member();
      member.join();
      return member;
    },
  };
}

test('one alone begins at once', () => {
  const { member, run, begun } = scene();
  const only = member();
  expect(only.alone).toBe(true);
  void only.step(run('a'));
  expect(begun).toEqual(['a']);
});

test('steps begin together, and who comes amid a round is in the next one, with all others', async () => {
  const { member, run, begun, end } = scene();
  const [a, b] = [member(), member()];
  const first = [a.step(run('a1'))];
  expect(begun).toEqual([]);
  first.push(b.step(run('b1')));
  expect(begun).toEqual(['a1', 'b1']);
  end('a1');
  await first[0];
  const second = a.step(run('a2'));
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(begun).toEqual(['a1', 'b1']);
  end('b1');
  await first[1];
  void b.step(run('b2'));
  await turn();
  expect(begun.slice(2)).toEqual(['a2', 'b2']);
  end('a2');
  await second;
});

test('one who does not come is waited for a little, and one who left is not', async () => {
  const { member, run, begun, end } = scene();
  const [a, late] = [member(), member()];
  const first = a.step(run('a1'));
  expect(begun).toEqual([]);
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(begun).toEqual(['a1']);
  end('a1');
  await first;
  late.leave();
  void a.step(run('a2'));
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'a2']);
});

test('what is done between rounds waits for the end of one, and holds up the next', async () => {
  const { rounds, member, run, begun, end } = scene();
  const a = member();
  const first = a.step(run('a1'));
  const copied = rounds.between(run('copy'));
  expect(begun).toEqual(['a1']);
  end('a1');
  await first;
  const second = a.step(run('a2'));
  await turn();
  expect(begun).toEqual(['a1', 'copy']);
  end('copy');
  await copied;
  await turn();
  expect(begun).toEqual(['a1', 'copy', 'a2']);
  end('a2');
  await second;
});

test('a step that fails fails for its own, and the next round begins', async () => {
  const { member, run, begun } = scene();
  const [a, b] = [member(), member()];
  const failed = a.step(() => Promise.reject(new Error('no')));
  const other = b.step(async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await other).toBe('yes');
  void a.step(run('a2'));
  void b.step(run('b2'));
  await turn();
  expect(begun).toEqual(['a2', 'b2']);
});
