import { useEffect, useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import { money } from '../../site/browser/state/format.ts';
import { messageOf } from '../../site/browser/state/messages.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { JobFailures } from './job-failures.tsx';
import { refundsToReturn } from './open-money.tsx';
import type { Job, OfficeEvent } from './resources.ts';

const everyMs = 1_000;

/** How far the cancellation of an event is. The job goes on without this page, and the page of the event leads back to it. */
export function JobPage({ eventId, jobId }: { readonly eventId: string; readonly jobId: string }) {
  const [job, setJob] = useState<Job>();
  const [problem, setProblem] = useState<string>();
  const event = useLoaded(() => officeCall<OfficeEvent>('GET', `/v1/events/${eventId}`), [eventId]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    async function ask(): Promise<void> {
      try {
        const current = await officeCall<Job>('GET', `/v1/jobs/${jobId}`);
        setJob(current);
        setProblem(undefined);
        if (current.status !== 'running') return;
      } catch (error) {
        setProblem(messageOf(error));
      }
      if (!isLeft) timer = setTimeout(() => void ask(), everyMs);
    }
    void ask();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [jobId]);
  return (
    <Page title={event.state === 'ready' ? `Cancellation of ${event.value.title}` : 'Cancellation'}>
      {problem !== undefined && (
        <Notice tone="warning">
          <p>{problem} This page tries again …</p>
        </Notice>
      )}
      {job !== undefined && <Progress job={job} />}
      {job !== undefined && job.failed > 0 && <JobFailures job={job} />}
      {job !== undefined && job.status !== 'running' && <ToHandOver eventId={eventId} job={job} />}
      <p>
        <Link to={`/office/events/${eventId}`}>Back to the event</Link>
      </p>
    </Page>
  );
}

/** Money that no provider returns: staff took it at the counter. */
function ToHandOver({ eventId, job }: { readonly eventId: string; readonly job: Job }) {
  const loaded = useLoaded(refundsToReturn, [job.job_id]);
  if (loaded.state !== 'ready') return null;
  const refunds = loaded.value.filter(({ event_id, created }) => event_id === eventId && created >= job.created);
  const [first] = refunds;
  if (first === undefined) return null;
  const sum = refunds.reduce((total, { to_return }) => total + to_return, 0);
  const what = refunds.length === 1 ? '1 refund' : `${refunds.length} refunds`;
  return (
    <Notice tone="warning" title={`${what} to hand over: ${money(sum, first.currency)}`}>
      <p>
        These orders were paid at the counter or on an invoice.{' '}
        <Link to="/office/counter/takings">The end of the shift</Link> lists them.
      </p>
    </Notice>
  );
}

function Progress({ job }: { readonly job: Job }) {
  const worked = job.done + job.failed;
  const isRunning = job.status === 'running';
  return (
    <section class="card">
      <label for="progress">
        {isRunning ? `${worked} of about ${job.total} orders` : `Finished: ${job.done} of ${job.total} orders`}
      </label>
      <progress id="progress" max={Math.max(job.total, 1)} value={isRunning ? worked : Math.max(job.total, 1)} />
      {isRunning && (
        <p class="hint">
          The orders are worked on one after the other, from a minute after the cancellation on; those that ended before
          are counted too. You can leave this page: the page of the event leads back to it.
        </p>
      )}
      {!isRunning && job.failed === 0 && (
        <Notice tone="good">
          <p>Every order is done.</p>
        </Notice>
      )}
    </section>
  );
}
