import { CloudError } from '../cloud-error.ts';
import { isRecord } from './intrinsics.ts';

/** Evaluates the `Conditions` of a template on first use. Conditions can refer to parameters only, not to resources. */
export class Conditions {
  readonly #definitions: Record<string, unknown>;
  readonly #resolve: (value: unknown, where: string) => unknown;
  readonly #outcomes = new Map<string, boolean>();

  constructor(definitions: Record<string, unknown>, resolve: (value: unknown, where: string) => unknown) {
    this.#definitions = definitions;
    this.#resolve = resolve;
  }

  outcome(name: string): boolean | undefined {
    const known = this.#outcomes.get(name);
    if (known !== undefined) return known;
    if (!(name in this.#definitions)) return undefined;
    const outcome = this.#evaluate(this.#definitions[name], `Conditions.${name}`);
    this.#outcomes.set(name, outcome);
    return outcome;
  }

  #evaluate(expression: unknown, where: string): boolean {
    const [name, argument] = isRecord(expression) ? (Object.entries(expression)[0] ?? []) : [];
    const operands: unknown[] = Array.isArray(argument) ? argument : [];
    switch (name) {
      case 'Fn::Equals':
        return this.#resolve(operands[0], where) === this.#resolve(operands[1], where);
      case 'Fn::And':
        return operands.every((operand) => this.#evaluate(operand, where));
      case 'Fn::Or':
        return operands.some((operand) => this.#evaluate(operand, where));
      case 'Fn::Not':
        return !this.#evaluate(operands[0], where);
      case 'Condition': {
        const outcome = this.outcome(String(argument));
        if (outcome !== undefined) return outcome;
        throw new CloudError(`Unresolved reference at ${where}: the condition ${String(argument)}`);
      }
      default:
        throw new CloudError(
          `Unresolved reference at ${where}: ${String(name)}, which the local cloud does not support`,
        );
    }
  }
}
