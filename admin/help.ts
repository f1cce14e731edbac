import type { Command, Group, Option } from './command.ts';
import { connectionOptions } from './connection/connection.ts';
import { alignColumns } from './documents/text.ts';

export const program = 'npm run admin --';

/** What every command takes besides its own options. */
export const commonOptions: readonly Option[] = [
  ...connectionOptions,
  { name: 'json', help: 'One JSON document on stdout, errors as JSON on stderr (with: npm run --silent admin -- …).' },
  { name: 'help', help: 'This text.' },
];

export function programHelp(groups: readonly Group[]): string {
  return sections([
    `${program} <group> <command> [options]\n\nThe platform team's tool. It works on the table, with your own AWS credentials.`,
    `Groups:\n${alignColumns(
      groups.map(({ name, summary }) => [name, summary]),
      '  ',
    )}`,
    optionSection('Options of every command', commonOptions),
    'Exit code: 0 done, 1 refused or failed, 2 not understood.',
    ...examples(groups.flatMap(({ commands }) => commands.slice(0, 1))),
    `More: ${program} <group> --help, ${program} <group> <command> --help`,
  ]);
}

export function groupHelp({ name, summary, commands }: Group): string {
  return sections([
    `${program} ${name} <command> [options]\n\n${summary}`,
    `Commands:\n${alignColumns(
      commands.map((command) => [usage(command), command.summary]),
      '  ',
    )}`,
    ...examples(commands.slice(0, 1)),
    `More: ${program} ${name} <command> --help`,
  ]);
}

export function commandHelp(group: Group, command: Command): string {
  const positionals = command.positionals.map(({ name, help }) => [`<${name}>`, help]);
  return sections([
    `${program} ${group.name} ${usage(command)} [options]\n\n${command.summary}`,
    ...(positionals.length === 0 ? [] : [`Arguments:\n${alignColumns(positionals, '  ')}`]),
    ...(command.options.length === 0 ? [] : [optionSection('Options', command.options)]),
    optionSection('Options of every command', commonOptions),
    ...examples([command]),
  ]);
}

function usage({ name, positionals, options }: Command): string {
  const required = options.filter((option) => option.required).map(withValue);
  const words = positionals.map((positional) =>
    positional.optional ? `[<${positional.name}>]` : `<${positional.name}>`,
  );
  return [name, ...words, ...required].join(' ');
}

function withValue({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function optionSection(title: string, options: readonly Option[]): string {
  return `${title}:\n${alignColumns(
    options.map((option) => [withValue(option), option.help]),
    '  ',
  )}`;
}

function examples(commands: readonly Command[]): string[] {
  const lines = commands.map(({ example }) => `  ${program} ${example}`);
  return [`${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`];
}

function sections(parts: readonly string[]): string {
  return parts.join('\n\n');
}
