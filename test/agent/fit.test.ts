import { describe, expect, test } from 'vitest';
import type { Model, TokenBill } from '../../src/model/model.ts';
import { hermes } from '../../templates/hermes.ts';
import { promptText } from '../../templates/prompt.ts';
import { call, scripted, scriptedTools } from './harness.ts';

const oslo = call('get_weather', { city: 'Oslo' });
const tools = () => scriptedTools({ get_weather: ({ city }) => `weather of ${city}` });

/** Counts characters for tokens. */
const counting = (contextSize: number): Partial<Model> => ({
  contextSize,
  render(conversation, render = {}) {
    const counts = { template: 0, system: 0, tools: 0, user: 0, assistant: 0, tool: 0 };
    const prompt = hermes.render(conversation, render);
    for (const piece of prompt)
      counts['text' in piece ? piece.origin : 'template'] += promptText([piece]).length;
    const bill = { ...counts, total: promptText(prompt).length } satisfies TokenBill;
    return { conversation, render, prompt, size: { tokens: bill.total, bill: () => bill, shared: () => 0 } };
  },
});

describe('a context that is too small', () => {
  test('leaves out whole exchanges, the oldest first, and says how much', async () => {
    const dialogue = (contextSize: number) =>
      scripted([oslo, 'Cold.', 'Two.', 'Three.'], tools(), {
        system: 'Be brief.',
        model: counting(contextSize) as Model,
      });
    const roomy = dialogue(100_000);
    await roomy.ask('Weather in Oslo?');
    await roomy.ask('Second');
    // The second question just fits.
    const { ask, prompts, agent } = dialogue(roomy.prompts()[2]!.length + 64);
    await ask('Weather in Oslo?');
    await ask('Second');
    const { events } = await ask('Third');
    expect(events).toContainEqual({ type: 'history-trimmed', messages: 4 });
    expect(prompts()[3]).not.toContain('Weather in Oslo?');
    expect(prompts()[3]).not.toContain('<tool_response>');
    expect(prompts()[3]).toContain('Be brief.');
    expect(prompts()[3]).toContain('Third');
    expect(agent.messages[1]).toMatchObject({ role: 'user', content: 'Weather in Oslo?' });
  });

  test('leaves out so much at once that the next turns only add to the prompt', async () => {
    const answers = Array.from({ length: 12 }, (_, index) => `Answer ${index}.`);
    const { ask, prompts, agent } = scripted(answers, scriptedTools({}), { model: counting(2_600) as Model });
    for (const index of answers.keys()) await ask(`Question ${index}, ${'which is long. '.repeat(8)}`);
    const anew = prompts().filter((prompt, index) => {
      const [before = '', answer = ''] = [prompts()[index - 1], answers[index - 1]];
      return !prompt.startsWith(before + answer);
    });
    expect(prompts().at(-1)).not.toContain('Question 5');
    expect(prompts().at(-1)).toContain('Question 10');
    expect(anew.length).toBeGreaterThan(0);
    expect(anew.length).toBeLessThanOrEqual(3);

    agent.reset();
    await ask('Anew').catch(() => {});
    expect(prompts().at(-1)).toContain('Anew');
  });

  test('refuses what cannot fit before it starts, with the numbers and what would help', async () => {
    const { ask, prompts, agent } = scripted(['never'], tools(), {
      system: 's'.repeat(500),
      model: counting(400) as Model,
    });
    const error = await ask('Hello?').catch(error => error);
    expect(error).toMatchObject({ code: 'prompt_too_long', details: { contextSize: 400 } });
    expect(error.message).toMatch(/500 for the system text/);
    expect(error.message).toMatch(/context holds 400/);
    expect(prompts()).toEqual([]);
    expect(agent.messages).toHaveLength(1);
  });
});
