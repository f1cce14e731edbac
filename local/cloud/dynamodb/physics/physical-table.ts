import { tableSchema } from '../../../../shared/data/table/schema.ts';
import type { Table } from '../../../../shared/data/table/table.ts';
import { execute } from '../model/execute.ts';
import { type CallTable, openModelTable } from '../model/model-client.ts';
import { TableModel } from '../model/table-model.ts';
import { AwsPhysics, type PhysicsOptions } from './aws-physics.ts';
import { describeCall } from './table-call.ts';

export interface PhysicalTable {
  readonly model: TableModel;
  readonly physics: AwsPhysics;
  /** Opens a client that repeats throttled calls as the SDK does. */
  open(onRetry?: () => void): Table;
  /** Opens a client without latency and limits, to prepare and to check the data. */
  openDirectly(): Table;
}

/** The model of the table with the physics of AWS. */
export function openPhysicalTable(options: PhysicsOptions): PhysicalTable {
  const { time, random } = options;
  const model = new TableModel(tableSchema, () => time.nowMs());
  const physics = new AwsPhysics(options);
  const retries = { sleep: (ms: number) => time.sleep(ms), random };
  const call: CallTable = (operation, input) => {
    const described = describeCall(operation, input);
    if (described === undefined) throw new TypeError(`The physics do not know the operation ${operation}.`);
    return physics.send(described, () => execute(model, operation, input));
  };
  model.storage.updateIndex = (apply) => physics.updateIndex(apply);
  return {
    model,
    physics,
    open: (onRetry = () => {}) => openModelTable('model', call, { ...retries, onRetry }),
    openDirectly: () => openModelTable('model', async (...request) => execute(model, ...request), retries),
  };
}
