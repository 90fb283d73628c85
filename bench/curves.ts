export interface Curve {
  /** Curves of one panel share axes. */
  panel: string;
  name: string;
  points: [x: number, y: number][];
}

const WIDTH = 360;
const HEIGHT = 240;
const LEFT = 56;
const TOP = 34;
const GAP = 40;
const colors = ['#2f7de1', '#e0662f', '#2a9d6e', '#a25bd8'];

const short = (us: number): string => (us >= 1000 ? `${us / 1000} ms` : `${us} µs`);

/** Curves on logarithmic axes, one chart per panel, readable in light and dark mode. */
export function drawCurves(curves: readonly Curve[]): string {
  const panels = [...new Set(curves.map(({ panel }) => panel))];
  const xs = [...new Set(curves.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const costs = curves.flatMap(({ points }) => points.map(([, y]) => y));
  const [low, high] = [Math.floor(Math.log10(Math.min(...costs))), Math.ceil(Math.log10(Math.max(...costs)))];
  const toX = (x: number) => (Math.log10(x / (xs[0] ?? 1)) / Math.log10((xs.at(-1) ?? 10) / (xs[0] ?? 1))) * WIDTH;
  const toY = (y: number) => HEIGHT - ((Math.log10(y) - low) / (high - low)) * HEIGHT;
  const text = (x: number, y: number, anchor: string, label: string, more = '') =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${more}>${label}</text>`;
  const frames = panels.map((panel, n) => {
    const lines = xs.map((x) => `<path d="M${toX(x).toFixed(1)} 0V${HEIGHT}"/>`);
    const marks = xs.map((x) => text(toX(x), HEIGHT + 18, 'middle', `× ${x.toLocaleString('en')}`));
    for (let power = low; power <= high; power++) {
      lines.push(`<path d="M0 ${toY(10 ** power).toFixed(1)}H${WIDTH}"/>`);
      marks.push(text(-8, toY(10 ** power) + 4, 'end', short(10 ** power)));
    }
    const drawn = curves
      .filter((curve) => curve.panel === panel)
      .map(({ points }, at) => {
        const path = points.map(([x, y]) => `${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`).join('L');
        const dots = points.map(([x, y]) => `<circle cx="${toX(x).toFixed(1)}" cy="${toY(y).toFixed(1)}" r="3"/>`);
        return `<g stroke="${colors[at]}" fill="${colors[at]}"><path d="M${path}" fill="none" stroke-width="2"/>${dots.join('')}</g>`;
      });
    return `<g transform="translate(${LEFT + n * (WIDTH + LEFT + GAP)} ${TOP})"><g stroke="#888" stroke-opacity=".35">${lines.join('')}</g>${marks.join('')}${text(0, -14, 'start', panel, ' font-weight="600"')}${drawn.join('')}</g>`;
  });
  const names = [...new Set(curves.map(({ name }) => name))];
  const legend = names.map((name, n) => {
    const x = LEFT + n * 170;
    const y = TOP + HEIGHT + 48;
    return `<rect x="${x}" y="${y - 9}" width="14" height="4" fill="${colors[n]}"/>${text(x + 20, y - 3, 'start', name)}`;
  });
  const width = panels.length * (WIDTH + LEFT + GAP);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${TOP + HEIGHT + 60}" font-family="system-ui, sans-serif" font-size="12" fill="#888" role="img" aria-label="Cost of one piece of work against the number of things">${frames.join('')}${legend.join('')}</svg>\n`;
}
