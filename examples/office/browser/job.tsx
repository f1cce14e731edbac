import { useEffect, useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import { messageOf } from '../../site/browser/state/messages.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { JobFailures } from './job-failures.tsx';
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
      <p>
        <Link to={`/office/events/${eventId}`}>Back to the event</Link>
      </p>
    </Page>
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
          The orders are worked on one after the other, from a minute after the cancellation on; those that were
          cancelled before are counted too. You can leave this page: the page of the event leads back to it.
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
