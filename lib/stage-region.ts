import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { StageConfig } from './stage-config.ts';

/** Where a stage is deployed. */
export interface StageRegion {
  /** Where its backups are copied and its secrets replicated; undefined for nowhere. */
  readonly copies: string | undefined;
  /** Whether its own region is lost and this is the region of the copies (docs/runbook.md, "The region is lost"). */
  readonly isRecovery: boolean;
}

/** `deployRegion` is undefined if it is not known at synthesis: then it is the stage's own. */
export function stageRegion(
  { stage, region, backupCopyRegion }: Pick<StageConfig, 'stage' | 'region' | 'backupCopyRegion'>,
  deployRegion: string | undefined,
): StageRegion {
  if (backupCopyRegion === undefined) return { copies: undefined, isRecovery: false };
  checkCopyRegion(region, backupCopyRegion);
  const isRecovery = deployRegion === backupCopyRegion;
  if (!isRecovery && (deployRegion ?? region) !== region) {
    throw new Error(
      `${stage} would be deployed to ${deployRegion}. lib/stage-config.ts sets its region to ${region}, and its backupCopyRegion to ${backupCopyRegion}, where it may go when ${region} is lost. Set AWS_REGION to one of the two.`,
    );
  }
  // After a loss there is nowhere to copy to until the operator chooses a region.
  return { copies: isRecovery ? undefined : backupCopyRegion, isRecovery };
}

/** AWS would accept the plan, and every copy would fail or be lost with the region of the stage. */
function checkCopyRegion(region: string | undefined, copyRegion: string): void {
  const known = RegionInfo.regions.map(({ name }) => name);
  for (const [setting, name] of Object.entries({ region, backupCopyRegion: copyRegion })) {
    if (name === undefined || !known.includes(name)) {
      throw new Error(
        `${setting} in lib/stage-config.ts is ${name}, which is not a region of AWS that the CDK knows. Set it to one of: ${known.join(', ')}.`,
      );
    }
  }
  if (copyRegion === region) {
    throw new Error(
      `backupCopyRegion in lib/stage-config.ts is ${copyRegion}, the region of the stage. Set it to another region, so that the copies survive the loss of this one.`,
    );
  }
  if (RegionInfo.get(copyRegion).partition !== RegionInfo.get(region ?? '').partition) {
    throw new Error(
      `backupCopyRegion in lib/stage-config.ts is ${copyRegion}, in another partition of AWS than ${region}. Backups are not copied between partitions.`,
    );
  }
}

/**
 * The certificate of the domain in the region of the deployment. The region of the copies needs one too: ACM validates a new one for
 * up to hours, and after a loss there is no time for that.
 */
export function certificateOf(
  { stage, domain, region, backupCopyRegion }: StageConfig,
  { isRecovery }: Pick<StageRegion, 'isRecovery'>,
): string {
  const arns = domain?.certificateArns ?? [];
  const [own, ofCopies] = [region, backupCopyRegion].map((name) => {
    const found = name === undefined ? arns[0] : arns.find((arn) => arn.split(':')[3] === name);
    if (found !== undefined) return found;
    throw new Error(
      `domain.certificateArns of ${stage} in lib/stage-config.ts has no certificate${name === undefined ? '' : ` of ${name}`}. Request one with ACM in that region, and add its ARN.`,
    );
  });
  return (isRecovery ? ofCopies : own) ?? '';
}
