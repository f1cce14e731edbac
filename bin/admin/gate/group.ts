import type { Group } from '../command.ts';
import { gateCommands } from './gate-commands.ts';
import { tokenCommands } from './token-commands.ts';

export const gateGroup: Group = {
  name: 'gate',
  summary: 'Gates: whom they are for, and the tokens that their devices carry.',
  commands: [...gateCommands, ...tokenCommands],
};
