import { pointsOf, seriesInWords } from './sparkline-points.ts';

const WIDTH = 120;
const HEIGHT = 28;

/** A curve without axes, as large as what it stands in: whether something rises or falls. */
export const Sparkline = ({ values }: { values: number[] }) => (
  <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" height="100%" preserveAspectRatio="none" aria-hidden="true">
    <polyline
      points={pointsOf(values, WIDTH, HEIGHT)}
      fill="none"
      stroke="var(--chart-1)"
      strokeWidth={1.5}
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
    />
  </svg>
);

/** The same where no number beside it says enough: it is told in a sentence. */
export const ToldSparkline = ({ label, values }: { label: string; values: number[] }) => (
  <div role="img" aria-label={seriesInWords(label, values)} style={{ width: 96, height: HEIGHT }}>
    <Sparkline values={values} />
  </div>
);
