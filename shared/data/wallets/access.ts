import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const walletsAccess = {
  registerDevice: { WDV: ['UpdateItem', 'Query'] },
  unregisterDevice: { WDV: ['DeleteItem'] },
  passesOfDevice: { WDV: ['Query'] },
  pageOfDevices: { WDV: ['Query'] },
  forgetDevice: { WDV: ['DeleteItem'] },
} satisfies FunctionAccess;
