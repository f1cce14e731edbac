import type { Group } from './command.ts';
import { customerGroup } from './customer-commands.ts';
import { editGroup } from './edit-commands.ts';
import { exportGroup } from './export-commands.ts';
import { gateGroup } from './gate/group.ts';
import { importGroup } from './import-commands.ts';
import { keyGroup } from './key-commands.ts';
import { memberGroup } from './member-commands.ts';
import { orderGroup } from './order-commands.ts';
import { organisationGroup } from './organisation-commands.ts';
import { ssoGroup } from './sso/group.ts';

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
