/** What a job does, with its parameters. Later kinds add theirs. */
export type JobTask = CancelEventTask | EnterSeatsTask | RefreshMembersTask | RenameVenueTask;

export interface CancelEventTask {
  readonly kind: 'cancel-event';
  readonly eventId: number;
  /** Whether the orders are refunded, or their tickets are only cancelled. */
  readonly refund: 'all' | 'none';
  /** Free text of the organisation about the event. Each refund has a copy. */
  readonly reason: string | null;
}

/** Rewrites what the members of these membership types copy from type and category. */
export interface RefreshMembersTask {
  readonly kind: 'refresh-members';
  readonly typeIds: readonly number[];
}

/** Writes the name of a venue into its events, which have a copy. */
export interface RenameVenueTask {
  readonly kind: 'rename-venue';
  readonly venueId: string;
}

/** Enters the seats of members into events on their map. */
export interface EnterSeatsTask {
  readonly kind: 'enter-seats';
  readonly eventIds: readonly number[];
}

/** An order that the job could not work on, and why. */
export interface JobFailure {
  readonly orderId: number;
  readonly code: JobFailureCode;
}
export type JobFailureCode =
  /** The payment provider refused the refund. */
  | 'refund_refused'
  /** The payment provider has not answered for an hour. The sweeper goes on asking. */
  | 'refund_pending'
  /** The order could not be changed for an hour. The log says why. */
  | 'not_changed';

/** Work on many rows, done in steps. Each step works on the rows after `cursor`, and can be repeated after a crash. */
export interface JobRecord<Task extends JobTask = JobTask> {
  readonly jobId: string;
  readonly task: Task;
  readonly status: 'running' | 'done' | 'failed';
  /** How many rows there are. While it runs, as many as were counted when it began. */
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly createdUnix: number;
  readonly finishedUnix: number | null;
  /** The sort key of the last row that was worked on; empty at the beginning. */
  readonly cursor: string;
  /** When the cursor moved for the last time. Rows that fail for too long are reported and left behind. */
  readonly movedUnix: number;
  /** The first failures. `failed` counts all of them. */
  readonly failures: readonly JobFailure[];
  /** When a worker looks at it again. While a step runs, this is the end of its lease. */
  readonly dueUnix: number;
  /** The API request that began it. */
  readonly requestId: string | null;
  readonly version: number;
}

/** The list is part of the row, which every step writes. */
export const maxListedFailures = 100;

/** An event is cancelled once, so its id identifies the job. */
export const cancelEventJobId = (eventId: number): string => `cancel-event-${eventId}`;

/** Each change of an event that matters to the seats of members has its own job. */
export const enterSeatsJobId = (eventId: number, version: number): string => `enter-seats-${eventId}-${version}`;
/** Many changes of members in a minute have one job. */
export const followSeatsJobId = (seatMapId: number, minute: number): string => `enter-seats-map-${seatMapId}-${minute}`;
/** How long such a job may wait and work before the audit reports what it has not done. */
export const enterSeatsJobMinutes = 10;

/** Each change of a membership type or category has its own job. */
export const refreshMembersJobId = (changed: string, version: number): string =>
  `refresh-members-${changed}-${version}`;

/** Each change of a venue has its own job. A code may have characters that are no part of an address, so the id has its hash. */
export const renameVenueJobId = (venueHash: number, version: number): string => `rename-venue-${venueHash}-${version}`;

export function newJob<Task extends JobTask>(
  jobId: string,
  task: Task,
  begun: Pick<JobRecord, 'total' | 'dueUnix' | 'requestId'> & { readonly nowUnix: number },
): JobRecord<Task> {
  const { total, dueUnix, requestId, nowUnix } = begun;
  return {
    jobId,
    task,
    status: 'running',
    total,
    done: 0,
    failed: 0,
    createdUnix: nowUnix,
    finishedUnix: null,
    cursor: '',
    movedUnix: nowUnix,
    failures: [],
    dueUnix,
    requestId,
    version: 1,
  };
}

/** What a step did with the rows up to `cursor`. */
export interface JobPage {
  readonly cursor: string;
  readonly done: number;
  readonly failures: readonly JobFailure[];
}

export function withPage(job: JobRecord, { cursor, done, failures }: JobPage, nowUnix: number): JobRecord {
  const [doneNow, failedNow] = [job.done + done, job.failed + failures.length];
  return {
    ...job,
    cursor,
    movedUnix: nowUnix,
    done: doneNow,
    failed: failedNow,
    total: Math.max(job.total, doneNow + failedNow),
    failures: [...job.failures, ...failures].slice(0, maxListedFailures),
  };
}

/** Ends a job. It has failed if it could work on none of its rows. */
export function finished(job: JobRecord, nowUnix: number): JobRecord {
  const { done, failed } = job;
  return { ...job, status: failed > 0 && done === 0 ? 'failed' : 'done', total: done + failed, finishedUnix: nowUnix };
}
