import * as v from 'valibot';
import { functionReferencesIn, type RehearsedStack, referencesIn } from './rehearsed-stack.ts';

const Alarm = v.looseObject({
  MetricName: v.optional(v.string()),
  Dimensions: v.optional(v.unknown()),
  TreatMissingData: v.optional(v.string()),
});

/** What stops without an error raises no alarm on errors: it needs one on missing points. */
export function checkSilence(stack: RehearsedStack): string[] {
  return [...checkSchedules(stack), ...checkAsyncRuns(stack), ...checkBackups(stack)];
}

const alarmsOf = ({ ofType }: RehearsedStack) =>
  ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => v.parse(Alarm, Properties));

/** An alarm on a schedule names the rule itself, or the function that it invokes. */
function checkSchedules(stack: RehearsedStack): string[] {
  const watched = new Set(
    alarmsOf(stack)
      .filter(({ TreatMissingData }) => TreatMissingData === 'breaching')
      .flatMap(({ Dimensions }) => referencesIn(Dimensions)),
  );
  return schedules(stack)
    .filter(({ logicalId, invoked }) => ![logicalId, ...invoked].some((id) => watched.has(id)))
    .map(
      ({ logicalId }) =>
        `The schedule ${logicalId} could stop unnoticed: no alarm treats missing invocations of it as breaching.`,
    );
}

function schedules(stack: RehearsedStack) {
  return stack
    .ofType('AWS::Events::Rule')
    .filter(({ Properties }) => Properties.ScheduleExpression !== undefined)
    .map(({ logicalId, Properties }) => ({ logicalId, invoked: functionReferencesIn(stack, Properties.Targets) }));
}

const Invoke = v.looseObject({ MaximumEventAgeInSeconds: v.optional(v.number(), 21_600) });

/** By default Lambda keeps a run that it refuses for six hours, and then starts hundreds of them at once. */
function checkAsyncRuns(stack: RehearsedStack): string[] {
  const configs = stack.ofType('AWS::Lambda::EventInvokeConfig').map(({ Properties }) => ({
    functions: referencesIn(Properties.FunctionName),
    seconds: v.parse(Invoke, Properties).MaximumEventAgeInSeconds,
  }));
  const invoked = new Set(schedules(stack).flatMap((schedule) => schedule.invoked));
  return stack.functions
    .filter(({ logicalId }) => invoked.has(logicalId))
    .filter(
      ({ logicalId }) => !configs.some(({ functions, seconds }) => functions.includes(logicalId) && seconds <= 60),
    )
    .map(({ id }) => `Runs of ${id} that Lambda refuses would pile up: limit the age of its events to a minute.`);
}

/** The metrics of AWS Backup that a plan needs alarms on, and which of them must treat missing points as breaching. */
const backupMetrics = {
  NumberOfBackupJobsFailed: 'notBreaching',
  NumberOfCopyJobsFailed: 'notBreaching',
  NumberOfCopyJobsCompleted: 'breaching',
};

function checkBackups(stack: RehearsedStack): string[] {
  const copies = stack
    .ofType('AWS::Backup::BackupPlan')
    .some(({ Properties }) => /CopyActions/.test(JSON.stringify(Properties)));
  if (!copies) return [];
  const alarms = alarmsOf(stack);
  return Object.entries(backupMetrics)
    .filter(
      ([name, missing]) => !alarms.some((alarm) => alarm.MetricName === name && alarm.TreatMissingData === missing),
    )
    .map(([name]) => `Backups could fail unnoticed: no alarm watches ${name} of AWS Backup.`);
}
