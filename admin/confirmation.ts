import type { Command, OptionValues } from '@commander-js/extra-typings';
import { refusal } from './failure.ts';

/** Adds --yes to a command that moves money or ends something. Its action calls `confirm` before its first change. */
export function withYes<Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) {
  return command.option('--yes', 'Carries it out. Without it, the command only says what would happen.');
}

/** Says what would happen, unless the operator has confirmed it. */
export function confirm(yes: true | undefined, wouldHappen: string): void {
  if (yes === true) return;
  throw refusal('confirmation_missing', `${wouldHappen} Nothing was changed. Repeat the command with --yes to do it.`);
}
