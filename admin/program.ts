import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Cli, commandsOf, newProgram, type Program } from './cli.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addCanaryCommands } from './commands/canary.ts';
import { addChangesCommands } from './commands/changes.ts';
import { addCustomerCommands } from './commands/customer.ts';
import { addEditCommands } from './commands/edit.ts';
import { addExportCommands } from './commands/export.ts';
import { addGateCommands } from './commands/gate.ts';
import { addImportCommands } from './commands/import.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMemberCommands } from './commands/member.ts';
import { addMigrateCommands } from './commands/migrate.ts';
import { addOrderCommands } from './commands/order.ts';
import { addOrgCommands } from './commands/org.ts';
import { addSecretsCommands } from './commands/secrets.ts';
import { addSigningKeyCommands } from './commands/signing-key.ts';
import { addSsoCommands } from './commands/sso.ts';
import { addStorefrontCommands } from './commands/storefront.ts';
import { addTableCommands } from './commands/table.ts';
import { addWalletCommands } from './commands/wallet.ts';
import { type AdminFailure, usageError } from './failure.ts';

/** The program with all commands. A new group is one file in commands/ and one line here. */
export function createProgram(cli: Cli): Program {
  const program = newProgram(cli);
  const groups = [
    addOrgCommands,
    addKeyCommands,
    addImportCommands,
    addExportCommands,
    addEditCommands,
    addCustomerCommands,
    addMemberCommands,
    addOrderCommands,
    addSsoCommands,
    addGateCommands,
    addStorefrontCommands,
    addCanaryCommands,
    addSigningKeyCommands,
    addSecretsCommands,
    addWalletCommands,
    addAuditCommands,
    addMigrateCommands,
    addChangesCommands,
    addTableCommands,
  ];
  for (const addGroup of groups) addGroup(program, cli);
  for (const command of commandsOf(program)) {
    command.exitOverride((error) => {
      // Commander ends in this way after it has printed the help, too.
      throw error.exitCode === 0 ? error : usageErrorOf(error, command);
    });
  }
  return program;
}

/** An error of commander as ours: with the argument that is wrong, its description, and what is allowed. */
function usageErrorOf({ code, message }: CommanderError, command: CommandUnknownOpts): AdminFailure {
  const sentence = asSentence(message);
  const [, flag] = /'(--?[\w-]+)/.exec(message) ?? [];
  switch (code) {
    case 'commander.help':
      return usageError(`Name a command: ${names(command)}.`);
    case 'commander.unknownCommand':
      return usageError(`${sentence} Commands: ${names(command)}.`, command.args[0]);
    case 'commander.unknownOption':
      return usageError(`${sentence} Options: ${flags(command)}.`, flag);
    case 'commander.excessArguments':
      return usageError(sentence, command.args[command.registeredArguments.length]);
    case 'commander.optionMissingArgument':
    case 'commander.missingMandatoryOptionValue': {
      const option = command.options.find(({ long }) => long === flag);
      return usageError(`${sentence} ${option?.description ?? ''}`.trim(), flag);
    }
    case 'commander.missingArgument':
    case 'commander.invalidArgument': {
      const [, name = ''] = /argument '(\w+)'/.exec(message) ?? [];
      const argument = command.registeredArguments.find((candidate) => candidate.name() === name);
      if (argument === undefined) return usageError(sentence, flag);
      const isMissing = code === 'commander.missingArgument';
      return usageError(isMissing ? `${sentence} ${argument.description}` : sentence, `<${name}>`);
    }
    default:
      return usageError(sentence, flag);
  }
}

/** `error: unknown option '--x'` and a suggestion on the next line, as one line. */
function asSentence(message: string): string {
  const [first = '', ...suggestions] = message.replace(/^error: /, '').split('\n');
  const text = first.charAt(0).toUpperCase() + first.slice(1);
  return [text.endsWith('.') ? text : `${text}.`, ...suggestions].join(' ');
}

function names(command: CommandUnknownOpts): string {
  return command.commands.map((child) => child.name()).join(', ');
}

function flags(command: CommandUnknownOpts): string {
  const help = command.createHelp();
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  return options.map(({ long }) => long).join(', ');
}
