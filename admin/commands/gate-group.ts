import type { Group } from '../command.ts';
import { gateCommands } from './gate.ts';
import { tokenCommands } from './gate-token.ts';

export const gateGroup: Group = {
  name: 'gate',
  summary: 'Gates: whom they are for, and the tokens that their devices carry.',
  commands: [...gateCommands, ...tokenCommands],
};
