import * as v from 'valibot';
import type { CloudClock } from '../clock/cloud-clock.ts';
import { CloudError } from '../cloud-error.ts';
import type { QueueSender } from '../sqs/queue-sender.ts';
import type { ParsedTemplate } from '../template/parsed-template.ts';
import { Numeric, readProperties } from '../template/properties.ts';
import { type FunctionDefinition, findFunction } from './function-definition.ts';
import type { Invoker } from './invoker.ts';
import type { FunctionError } from './runtime/messages.ts';

/** Lambda waits one minute before the first retry and two before the second. */
const retryDelayMs = 60_000;
const defaultRetryAttempts = 2;

const EventInvokeConfig = v.object({
  FunctionName: v.string(),
  MaximumRetryAttempts: v.optional(Numeric, defaultRetryAttempts),
  DestinationConfig: v.optional(v.object({ OnFailure: v.optional(v.object({ Destination: v.string() })) })),
});

interface AsynchronousConfig {
  retryAttempts: number;
  failureDestinationArn: string | undefined;
}

export interface AsynchronousInvokerOptions {
  template: ParsedTemplate;
  functions: readonly FunctionDefinition[];
  invoker: Invoker;
  queues: QueueSender;
  clock: CloudClock;
}

/** Invokes functions asynchronously, for rules and schedules. Failed invocations are retried, then sent to the failure destination. */
export class AsynchronousInvoker {
  readonly #options: AsynchronousInvokerOptions;
  readonly #configs = new Map<FunctionDefinition, AsynchronousConfig>();

  constructor(options: AsynchronousInvokerOptions) {
    this.#options = options;
    for (const resource of options.template.ofType('AWS::Lambda::EventInvokeConfig')) {
      const properties = readProperties(resource, EventInvokeConfig);
      const definition = findFunction(options.functions, properties.FunctionName);
      const failureDestinationArn = properties.DestinationConfig?.OnFailure?.Destination;
      if (definition === undefined) throw new CloudError(`${resource.logicalId} configures an unknown function`);
      if (failureDestinationArn !== undefined && !options.queues.has(failureDestinationArn)) {
        throw new CloudError(
          `${resource.logicalId} has a destination that is not a queue of the template: ${failureDestinationArn}`,
        );
      }
      this.#configs.set(definition, { retryAttempts: properties.MaximumRetryAttempts, failureDestinationArn });
    }
  }

  invoke(definition: FunctionDefinition, event: unknown, attempt = 0): void {
    const config = this.#configs.get(definition) ?? {
      retryAttempts: defaultRetryAttempts,
      failureDestinationArn: undefined,
    };
    void this.#attempt(definition, event).then(async (error) => {
      if (error === undefined) return;
      if (attempt < config.retryAttempts) {
        this.#options.clock.after(retryDelayMs * (attempt + 1), () => this.invoke(definition, event, attempt + 1));
        return;
      }
      await this.#sendFailure(definition, config, event, error).catch(() => {});
    });
  }

  async #attempt(definition: FunctionDefinition, event: unknown): Promise<FunctionError | undefined> {
    try {
      const outcome = await this.#options.invoker.invoke(definition, event);
      return outcome.kind === 'error' ? outcome.error : undefined;
    } catch (error) {
      return { errorType: 'InvocationFailed', errorMessage: error instanceof Error ? error.message : String(error) };
    }
  }

  async #sendFailure(
    definition: FunctionDefinition,
    config: AsynchronousConfig,
    event: unknown,
    error: FunctionError,
  ): Promise<void> {
    const { queues, clock } = this.#options;
    if (definition.deadLetterArn !== undefined) {
      await queues.send(definition.deadLetterArn, {
        body: JSON.stringify(event),
        attributes: { ERROR_CODE: '200', ERROR_MESSAGE: error.errorMessage },
      });
    }
    if (config.failureDestinationArn === undefined) return;
    const record = {
      version: '1.0',
      timestamp: new Date(clock.now()).toISOString(),
      requestContext: {
        functionArn: `${definition.arn}:$LATEST`,
        condition: 'RetriesExhausted',
        approximateInvokeCount: config.retryAttempts + 1,
      },
      requestPayload: event,
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      responsePayload: error,
    };
    await queues.send(config.failureDestinationArn, { body: JSON.stringify(record) });
  }
}
