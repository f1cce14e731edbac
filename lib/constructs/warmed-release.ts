import { CustomResource, Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct, type IConstruct } from 'constructs';

export interface WarmedReleaseProps {
  /**
   * The function of `warm-functions`, and not its alias: Lambda repeats a call of it for hours, while runs of the schedule are dropped
   * after a minute.
   */
  readonly warmerArn: string;
  readonly functions: readonly { readonly lambda: LambdaFunction; readonly live: IConstruct }[];
}

/** Invokes the new versions of a stack's functions once, before any alias leads to them: the first requests of a release find them started. */
export class WarmedRelease extends Construct {
  constructor(scope: Construct, id: string, { warmerArn, functions }: WarmedReleaseProps) {
    super(scope, id);
    const warmed = new CustomResource(this, 'Versions', {
      resourceType: 'Custom::WarmedVersions',
      serviceToken: warmerArn,
      serviceTimeout: Duration.minutes(10),
      properties: { Versions: functions.map(({ lambda }) => lambda.currentVersion.functionArn) },
    });
    for (const { live } of functions) live.node.addDependency(warmed);
  }
}
