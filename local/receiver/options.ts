import { parseArgs } from 'node:util';

export class UsageError extends Error {}

/** What the receiver does with a verified event. */
const behaviours = ['accept', 'fail', 'hang', 'gone'] as const;
export type Behaviour = (typeof behaviours)[number];

export interface ReceiverOptions {
  readonly secret: string;
  readonly port: number;
  readonly behaviour: Behaviour;
}

export const usage = `npm run receiver -- --secret whsec_… [--port 4000] [--do accept|fail|hang|gone]

  --secret  the secret from the response of create-webhook-endpoint (default: the variable WEBHOOK_SECRET)
  --port    the port on 127.0.0.1; 0 for any free port (default: 4000)
  --do      accept: return 200 (default) · fail: return 500 · hang: never respond · gone: return 410, which disables the endpoint`;

export function readOptions(args: string[], environment: NodeJS.ProcessEnv): ReceiverOptions | 'help' {
  const { values } = parse(args);
  if (values.help === true) return 'help';
  const secret = values.secret ?? environment.WEBHOOK_SECRET ?? '';
  if (!secret.startsWith('whsec_'))
    throw new UsageError('Set --secret to the secret of the endpoint, which starts with whsec_.');
  const port = values.port ?? '4000';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port must be a number from 0 to 65535, not ${port}.`);
  const wanted = values.do ?? 'accept';
  const behaviour = behaviours.find((one) => one === wanted);
  if (behaviour === undefined) throw new UsageError(`--do must be one of ${behaviours.join(', ')}, not ${wanted}.`);
  return { secret, port: Number(port), behaviour };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args, options: { secret: text, port: text, do: text, help: { type: 'boolean' } } });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
