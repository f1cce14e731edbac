import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isConditionFailure } from './failures.ts';

interface ConsumedCapacity {
  readonly CapacityUnits?: number | undefined;
  readonly ReadCapacityUnits?: number | undefined;
  readonly WriteCapacityUnits?: number | undefined;
}

const readCommands = new Set(['GetItemCommand', 'QueryCommand', 'BatchGetItemCommand', 'TransactGetItemsCommand']);

/** Adds up the capacity units of one request. An instance serves one request at a time, so one meter is enough. */
export class CapacityMeter {
  calls = 0;
  readUnits = 0;
  writeUnits = 0;

  reset(): void {
    this.calls = 0;
    this.readUnits = 0;
    this.writeUnits = 0;
  }

  add(commandName: string, consumed: readonly ConsumedCapacity[]): void {
    this.calls += 1;
    for (const capacity of consumed) {
      // A single operation reports one number. Only the name of the command says whether it was a read or a write.
      const isRead = readCommands.has(commandName);
      this.readUnits += capacity.ReadCapacityUnits ?? (isRead ? (capacity.CapacityUnits ?? 0) : 0);
      this.writeUnits += capacity.WriteCapacityUnits ?? (isRead ? 0 : (capacity.CapacityUnits ?? 0));
    }
  }
}

/** Asks DynamoDB for the consumed capacity of every call and adds it to the meter. */
export function measureCapacity(client: DynamoDBDocumentClient, meter: CapacityMeter): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const commandName = context.commandName ?? '';
      try {
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        meter.add(commandName, consumedBy(result.output));
        return result;
      } catch (error) {
        // DynamoDB charges for a write whose condition fails, but the error does not contain the amount.
        meter.add(commandName, isConditionFailure(error) ? [{ WriteCapacityUnits: 1 }] : []);
        throw error;
      }
    },
    { step: 'initialize', name: 'measureCapacity' },
  );
}

function consumedBy(output: object): readonly ConsumedCapacity[] {
  if (!('ConsumedCapacity' in output) || !output.ConsumedCapacity) return [];
  return Array.isArray(output.ConsumedCapacity) ? output.ConsumedCapacity : [output.ConsumedCapacity];
}
