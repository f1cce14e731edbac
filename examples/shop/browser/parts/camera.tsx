import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../../../site/browser/parts/notice.tsx';
import { cameraProblem, watchCamera } from '../state/camera.ts';

/** The same code stays in front of the camera for a while: it is one scan until another code was seen or time has passed. */
const sameCodeMs = 4000;

/** Scans with the camera for as long as it is shown. */
export function Camera({ onCode }: { readonly onCode: (barcode: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef(onCode);
  latest.current = onCode;
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (video.current === null) return;
    let seen = { code: '', atMs: 0 };
    const watching = watchCamera(video.current, (code) => {
      const isSame = code === seen.code && Date.now() - seen.atMs < sameCodeMs;
      seen = { code, atMs: Date.now() };
      if (!isSame) latest.current(code);
    });
    watching.catch((error: unknown) => setProblem(cameraProblem(error)));
    return () => void watching.then((stop) => stop()).catch(() => {});
  }, []);
  return (
    <>
      <Problem text={problem} />
      <video ref={video} class="camera" muted playsInline aria-label="Picture of the camera" />
    </>
  );
}
