import { rehearse } from '../../tools/rehearsal/rehearse.ts';
import { rehearsedStack, type Template } from '../../tools/rehearsal/rehearsed-stack.ts';
import { assembly } from './assembly.ts';

/** The production stacks after a mistake. */
export function rehearseBroken(mistake: (template: Template) => void): string[] {
  return rehearse(rehearsedStack(assembly('prod').assemblyDir, mistake));
}

export function resourcesOf(template: Template, type: string) {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
}

export function functionOf(template: Template, id: string) {
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(([, { Properties }]) =>
    String(Properties.Description).startsWith(`${id}:`),
  );
  if (found === undefined) throw new Error(`No function serves ${id}.`);
  return found[1];
}
