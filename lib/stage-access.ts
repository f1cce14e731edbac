import type { TableAccess } from '../shared/domain/table-access.ts';
import type { StageConfig } from './stage-config.ts';

/** What a function may do to the table of a stage. With Stripe, no function touches the rows of the sandbox, whose payments are pretended. */
export function stageAccess({ payments }: Pick<StageConfig, 'payments'>, access: TableAccess): TableAccess {
  const { SBX: _sandbox, ...others } = access;
  return payments === 'sandbox' ? access : others;
}
