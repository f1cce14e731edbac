import { $Command } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type Command = Parameters<DynamoDBDocumentClient['send']>[0];
type PlainCommand = InstanceType<typeof $Command>;

interface CallOptions {
  abortSignal?: AbortSignal | undefined;
}

/** The middleware of the client, put together for one kind of command. */
interface Chain {
  /** The chain passes them to the HTTP client. Only one call at a time uses a chain, so they are those of that call. */
  readonly options: CallOptions;
  readonly run: (call: { readonly input: object } & CallOptions) => Promise<{ readonly output: object }>;
}

/**
 * The SDK puts its middleware together again for every call, which is a quarter of the CPU time of a small call. Its own cache
 * (`cacheMiddleware`) refuses document clients and calls with an abort signal. Here a call uses a chain that an earlier call of
 * the same kind has left, and calls at the same time use different ones. The steps are the same as without it. Items are
 * converted by `convertItems`, because the commands of the document client would add their own conversion to every chain.
 */
export function reuseMiddleware(client: DynamoDBDocumentClient): void {
  const { middlewareStack, config } = client;
  const sendAsUsual = client.send.bind(client);
  const unused = new Map<unknown, Chain[]>();
  const chainsOf = (kind: unknown): Chain[] => {
    const chains = unused.get(kind) ?? [];
    unused.set(kind, chains);
    return chains;
  };
  const newChain = (command: PlainCommand): Chain => {
    const options: CallOptions = {};
    return { options, run: command.resolveMiddleware(middlewareStack, config, options) };
  };
  passAbortSignal(client);
  onChange(middlewareStack, () => unused.clear());
  const send = async (command: Command, { abortSignal }: CallOptions = {}) => {
    const plain = 'clientCommand' in command ? command.clientCommand : undefined;
    if (!(plain instanceof $Command)) return sendAsUsual(command, abortSignal && { abortSignal });
    const chains = chainsOf(plain.constructor);
    const chain = chains.pop() ?? newChain(plain);
    chain.options.abortSignal = abortSignal;
    try {
      const { output } = await chain.run({ input: plain.input, abortSignal });
      return output;
    } finally {
      chain.options.abortSignal = undefined;
      chains.push(chain);
    }
  };
  Object.defineProperty(client, 'send', { value: send });
}

/** The retries of the SDK find the signal in the context of the call, where they look for it at every call. */
function passAbortSignal({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next, context) => (args) => {
      const { __smithy_context: smithyContext } = context;
      if (smithyContext !== undefined) smithyContext.abortSignal = Reflect.get(args, 'abortSignal');
      return next(args);
    },
    { step: 'initialize', name: 'passAbortSignal' },
  );
}

/** Middleware that is added or removed later applies from the next call on. */
function onChange(stack: DynamoDBDocumentClient['middlewareStack'], clear: () => void): void {
  for (const name of ['add', 'addRelativeTo', 'remove', 'removeByTag'] as const) {
    const change: (...args: never[]) => unknown = stack[name];
    Object.assign(stack, {
      [name]: (...args: never[]): unknown => {
        clear();
        return change(...args);
      },
    });
  }
}
