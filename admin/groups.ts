import type { Group } from './command.ts';
import { customerGroup } from './commands/customer.ts';
import { editGroup } from './commands/edit.ts';
import { exportGroup } from './commands/export.ts';
import { gateGroup } from './commands/gate-group.ts';
import { importGroup } from './commands/import.ts';
import { keyGroup } from './commands/key.ts';
import { memberGroup } from './commands/member.ts';
import { orderGroup } from './commands/order.ts';
import { organisationGroup } from './commands/organisation.ts';
import { ssoGroup } from './commands/sso.ts';

/** Everything the tool can do. A new group is one file and one line here. */
export const groups: readonly Group[] = [
  organisationGroup,
  keyGroup,
  importGroup,
  exportGroup,
  editGroup,
  customerGroup,
  memberGroup,
  orderGroup,
  ssoGroup,
  gateGroup,
];
