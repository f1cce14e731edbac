import type { NestedStack } from 'aws-cdk-lib';

/**
 * The names of functions and log groups begin with the name of their stack, and Lambda allows 64 characters. The CDK's logical
 * id of a nested stack alone would take most of them.
 */
export function nameNestedStack({ nestedStackResource }: NestedStack, name: string): void {
  nestedStackResource?.overrideLogicalId(name);
}
