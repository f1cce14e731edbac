import * as v from 'valibot';
import type { CloudClock } from '../clock/cloud-clock.ts';
import { CloudError } from '../cloud-error.ts';
import type { ParsedTemplate } from '../template/parsed-template.ts';
import { Numeric, readProperties } from '../template/properties.ts';
import { type FunctionDefinition, findFunction } from './function-definition.ts';
import type { Invoker } from './invoker.ts';

/** Lambda waits one minute before the first retry and two before the second. */
const retryDelayMs = 60_000;
const defaultRetryAttempts = 2;

const EventInvokeConfig = v.object({
  FunctionName: v.string(),
  MaximumRetryAttempts: v.optional(Numeric, defaultRetryAttempts),
  DestinationConfig: v.optional(v.never('destinations of asynchronous invocations are not supported')),
});

export interface AsynchronousInvokerOptions {
  template: ParsedTemplate;
  functions: readonly FunctionDefinition[];
  invoker: Invoker;
  clock: CloudClock;
}

/** Invokes functions asynchronously, for rules and schedules. Failed invocations are retried, then dropped. */
export class AsynchronousInvoker {
  readonly #options: AsynchronousInvokerOptions;
  readonly #retryAttempts = new Map<FunctionDefinition, number>();

  constructor(options: AsynchronousInvokerOptions) {
    this.#options = options;
    for (const resource of options.template.ofType('AWS::Lambda::EventInvokeConfig')) {
      const properties = readProperties(resource, EventInvokeConfig);
      const definition = findFunction(options.functions, properties.FunctionName);
      if (definition === undefined) throw new CloudError(`${resource.logicalId} configures an unknown function`);
      this.#retryAttempts.set(definition, properties.MaximumRetryAttempts);
    }
  }

  invoke(definition: FunctionDefinition, event: unknown, attempt = 0): void {
    const retryAttempts = this.#retryAttempts.get(definition) ?? defaultRetryAttempts;
    void this.#succeeds(definition, event).then((isDone) => {
      if (isDone || attempt >= retryAttempts) return;
      this.#options.clock.after(retryDelayMs * (attempt + 1), () => this.invoke(definition, event, attempt + 1));
    });
  }

  async #succeeds(definition: FunctionDefinition, event: unknown): Promise<boolean> {
    try {
      return (await this.#options.invoker.invoke(definition, event)).kind !== 'error';
    } catch {
      return false;
    }
  }
}
