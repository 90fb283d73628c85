import { describeSeries, toPolylinePoints } from './sparkline-points.ts';

const WIDTH = 120;
const HEIGHT = 28;

/** A curve without axes that fills its container. */
export const Sparkline = ({ values }: { values: number[] }) => (
  <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" height="100%" preserveAspectRatio="none" aria-hidden="true">
    <polyline
      points={toPolylinePoints(values, WIDTH, HEIGHT)}
      fill="none"
      stroke="var(--chart-1)"
      strokeWidth={1.5}
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
    />
  </svg>
);

/** With a text alternative, for sparklines without a number beside them. */
export const LabeledSparkline = ({ label, values }: { label: string; values: number[] }) => (
  <div role="img" aria-label={describeSeries(label, values)} style={{ width: 96, height: HEIGHT }}>
    <Sparkline values={values} />
  </div>
);
