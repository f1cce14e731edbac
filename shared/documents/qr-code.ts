import encodeQR from 'qr';

/** The white modules around a code, without which gates do not find it. */
const border = 4;

/** The rows of a code with its white border; true is black. Level M survives a scratched screen and a folded page. */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  return encodeQR(text, 'raw', { ecc: 'medium', border });
}

/** The black modules as runs of a row, so that a drawing has no gaps between modules. */
export function blackRuns(rows: readonly (readonly boolean[])[]): { x: number; y: number; width: number }[] {
  return rows.flatMap((row, y) => {
    const runs: { x: number; y: number; width: number }[] = [];
    for (const [x, isBlack] of row.entries()) {
      const last = runs.at(-1);
      if (isBlack && last !== undefined && last.x + last.width === x) last.width += 1;
      else if (isBlack) runs.push({ x, y, width: 1 });
    }
    return runs;
  });
}
