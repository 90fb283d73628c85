import { describeSeries, toPolylinePoints } from './sparkline-points.ts';
import { withoutToday } from './time-scale.ts';

const WIDTH = 120;
const HEIGHT = 28;

interface SparklineProps {
  values: number[];
  /** The last value is that of today, which may still grow: drawn dashed. */
  endsToday?: boolean;
}

const line = {
  fill: 'none',
  stroke: 'var(--chart-1)',
  strokeWidth: 1.5,
  strokeLinejoin: 'round',
  vectorEffect: 'non-scaling-stroke',
} as const;

/** A curve without axes that fills its container. */
export const Sparkline = ({ values, endsToday = false }: SparklineProps) => {
  const points = toPolylinePoints(values, WIDTH, HEIGHT).split(' ');
  const isSplit = endsToday && points.length > 2;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" height="100%" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={(isSplit ? points.slice(0, -1) : points).join(' ')} {...line} />
      {isSplit && <polyline points={points.slice(-2).join(' ')} {...line} strokeDasharray="2 3" />}
    </svg>
  );
};

/** With a text alternative, for sparklines without a number beside them. */
export const LabeledSparkline = ({ label, values, endsToday = false }: SparklineProps & { label: string }) => (
  <div
    role="img"
    aria-label={describeSeries(label, endsToday ? withoutToday(values) : values)}
    style={{ width: 96, height: HEIGHT }}
  >
    <Sparkline values={values} endsToday={endsToday} />
  </div>
);
