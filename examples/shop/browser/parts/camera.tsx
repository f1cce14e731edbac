import { useEffect, useRef, useState } from 'preact/hooks';
import { BarcodeDetector } from 'qr/decode.js';
import { Problem } from '../../../site/browser/parts/notice.tsx';

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

/** How often a picture is searched for a code. */
const everyMs = 150;

/**
 * Shows the camera at the back in this element and reports every code that it sees, until it is stopped. Reading is done in this
 * page, because few browsers have a BarcodeDetector of their own.
 */
async function watchCamera(video: HTMLVideoElement, onCode: (text: string) => void): Promise<() => void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false });
  video.srcObject = stream;
  await video.play();
  const detector = new BarcodeDetector({ formats: ['qr_code'] });
  let isStopped = false;
  const look = async (): Promise<void> => {
    if (isStopped) return;
    const found = video.readyState >= video.HAVE_CURRENT_DATA ? await detector.detect(video).catch(() => []) : [];
    for (const { rawValue } of found.slice(0, 1)) onCode(rawValue);
    setTimeout(() => void look(), everyMs);
  };
  void look();
  return () => {
    isStopped = true;
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
}

/** What to do when the camera cannot be used. */
function cameraProblem(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError')
    return 'The camera is blocked. Allow it in the settings of the browser, or type the code.';
  if (name === 'NotFoundError') return 'This device has no camera. Type the code.';
  return 'The camera could not be started. Type the code.';
}
