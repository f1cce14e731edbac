import { tmpdir } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { watchDisk } from '../../local/cloud/disk-space.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a full disk is reported once, and a disk with space is not', () => {
  vi.useFakeTimers();
  const [full, spacious] = [vi.fn(), vi.fn()];
  const watches = [watchDisk(tmpdir(), full, Number.MAX_SAFE_INTEGER), watchDisk(tmpdir(), spacious, 0)];
  vi.advanceTimersByTime(60_000);
  for (const watch of watches) watch.stop();
  expect(full).toHaveBeenCalledOnce();
  expect(spacious).not.toHaveBeenCalled();
});
