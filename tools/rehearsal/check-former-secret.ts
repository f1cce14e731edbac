import * as v from 'valibot';
import type { StageConfig } from '../../lib/stage-config.ts';

const Variables = v.object({
  Properties: v.object({
    Environment: v.object({
      Variables: v.object({ SECRET_ARN: v.optional(v.unknown()), FORMER_SECRET: v.optional(v.unknown(), 'none') }),
    }),
  }),
});
const Template = v.object({ Resources: v.record(v.string(), v.unknown()) });

/**
 * A stage that was deployed with one secret for all purposes moves in three steps. A release that left one out would end every cursor
 * and link of the stage, and could open no secret of a webhook endpoint.
 */
export function checkFormerSecret(
  { stage, formerSecret }: Pick<StageConfig, 'stage' | 'formerSecret'>,
  deployed: readonly unknown[],
): string[] {
  const functions = deployed
    .flatMap((template) => Object.values(v.parse(Template, template).Resources))
    .flatMap((resource) => {
      const parsed = v.safeParse(Variables, resource);
      return parsed.success ? [parsed.output.Properties.Environment.Variables] : [];
    });
  const readsOne = functions.some(({ SECRET_ARN }) => SECRET_ARN !== undefined);
  const readsBoth = functions.some(({ FORMER_SECRET }) => FORMER_SECRET !== 'none');
  if (readsOne && formerSecret !== 'read')
    return [
      `The deployed release of ${stage} has one secret for cursors, links and webhooks: set formerSecret to 'read' in lib/stage-config.ts.`,
    ];
  if (readsBoth && formerSecret === 'none')
    return [
      `The functions of ${stage} read the former secret. Run npm run admin -- secrets separate --stage ${stage}, then set formerSecret to 'moved' in lib/stage-config.ts.`,
    ];
  return [];
}
