import * as v from 'valibot';
import { maxListedFailures } from '../../domain/jobs/job.ts';
import { Count, field, Id, resource, UnixSeconds } from './fields.ts';

const JobFailure = resource('JobFailure', 'An order that a job could not work on.', {
  order_id: field(Id, 'The order.'),
  code: field(
    v.string(),
    'Why: `refund_refused` (the payment provider refused; refund the order again or by other means), `refund_pending` (the provider has not answered for an hour; the refund goes on, and order.refunded or order.refund_failed follows), `not_changed` (an error of ours, which we look into).',
  ),
});

const JobReport = resource('JobReport', 'What a job could not do.', {
  failures: field(
    v.array(JobFailure),
    `The first ${maxListedFailures} failures. The orders of a cancelled event that are still confirmed are all of them: list-event-orders with order_status confirmed.`,
  ),
  failures_omitted: field(Count, 'How many more there are.'),
});

export const Job = resource('Job', 'Work on many objects, which goes on after the request that began it.', {
  job_id: field(v.string(), 'Unique identifier of the job.'),
  kind: field(
    v.picklist(['cancel-event', 'enter-seats', 'refresh-members', 'rename-venue']),
    'What it does: `cancel-event`; `enter-seats`, which enters the seats of members into an event before it is published; `refresh-members`, which writes a changed title, category or seat map of a membership type into its members; or `rename-venue`, which writes the new name of a venue into its events.',
  ),
  status: field(
    v.picklist(['running', 'done', 'failed']),
    'Status of the job. It is `done` when every object was worked on, and `failed` if it worked on none of them successfully.',
  ),
  total: field(
    Count,
    'How many objects there are, such as the orders of the event or the seats of members. An estimate while the job is running: of `refresh-members` it is the number of all members.',
  ),
  done: field(Count, 'How many of them are done.'),
  failed: field(Count, 'How many of them failed. The report says which and why.'),
  created: field(UnixSeconds, 'When the job began, in Unix seconds.'),
  finished: field(v.nullable(UnixSeconds), 'When the job ended, in Unix seconds; null while it is running.'),
  report: JobReport,
});
export type Job = v.InferOutput<typeof Job>;
