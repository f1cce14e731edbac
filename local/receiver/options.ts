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

  --secret  the secret that create-webhook-endpoint has shown, or the variable WEBHOOK_SECRET
  --port    where to listen on 127.0.0.1; 0 for any free port
  --do      accept: answer 200 · fail: 500 · hang: never answer · gone: 410, which disables the endpoint`;

export function readOptions(args: string[], environment: NodeJS.ProcessEnv): ReceiverOptions | 'help' {
  const { values } = parse(args);
  if (values.help === true) return 'help';
  const secret = values.secret ?? environment.WEBHOOK_SECRET ?? '';
  if (!secret.startsWith('whsec_')) throw new UsageError('Give the secret of the endpoint: it begins with whsec_.');
  const port = values.port ?? '4000';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port is ${port}; it must be 0 to 65535.`);
  const wanted = values.do ?? 'accept';
  const behaviour = behaviours.find((one) => one === wanted);
  if (behaviour === undefined) throw new UsageError(`--do is ${wanted}; it must be one of ${behaviours.join(', ')}.`);
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
