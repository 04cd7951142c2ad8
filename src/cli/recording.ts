/** Runs of the command line are recorded: where to, and without what. */
import { type Agent, type AgentOptions, createAgent } from '../agent/agent.ts';
import type { Host } from '../mcp/host.ts';
import { environmentSecrets, serverSecrets } from '../mcp/server-secrets.ts';
import type { McpServer } from '../mcp/servers.ts';
import { type RecordingOptions, recordedAgent } from '../transcript/record-agent.ts';
import { openRecorder, type Recorder, type RecorderOptions } from '../transcript/recorder.ts';
import { redactPattern } from '../transcript/redact.ts';
import type { DialogueModel } from './dialogue-model.ts';
import { runsFolder } from './folders.ts';
import type { Lifetime } from './lifetime.ts';
import { packageVersion } from './package.ts';
import type { Values } from './settings.ts';
import { notice } from './show.ts';
import { simplified } from './shown-schemas.ts';

export interface RecordedWith {
  readonly dialogue: Pick<DialogueModel, 'recorded'>;
  readonly host: Host;
  /** How the model is shown the tools' schemas. */
  readonly values: Pick<Values, 'toolSchemas'>;
}

/**
 * Gives what makes agents, each with a transcript of its own. The patterns are read at once: a mistake in one must not cost the
 * loading of a model.
 *
 * @throws RawcallError `bad_pattern`
 */
export function agentMaker(
  values: Values,
  servers: readonly McpServer[],
  lifetime: Lifetime,
): (options: AgentOptions, recorded: RecordedWith) => Agent {
  const { record } = values;
  const kept = keptOut(values, servers);
  if (record === false) return options => createAgent(options);
  return (options, recorded) => {
    const recorder = openRecorder({ folder: record ?? runsFolder(), ...kept, onFailure: notice });
    lifetime.closeAtEnd(async () => recorder.close());
    return recordedAgent(options, recordingOf(recorder, recorded));
  };
}

/**
 * What must not get into a transcript.
 *
 * @throws RawcallError `bad_pattern`
 */
export function keptOut(
  { redact = [], endpointKey = '' }: Values,
  servers: readonly McpServer[],
): Pick<RecorderOptions, 'secrets' | 'redact'> {
  return {
    secrets: [...serverSecrets(servers), ...environmentSecrets(process.env), endpointKey],
    redact: redact.map(redactPattern),
  };
}

export function recordingOf(recorder: Recorder, { dialogue, host, values }: RecordedWith): RecordingOptions {
  return {
    recorder,
    versions: { rawcall: packageVersion(), node: process.versions.node },
    model: dialogue.recorded,
    about(tool) {
      const server = host.origin(tool.name)?.server;
      return {
        ...(server === undefined ? {} : { server }),
        ...(simplified(values, host.origin)(tool) ? { simplified: true } : {}),
      };
    },
  };
}
