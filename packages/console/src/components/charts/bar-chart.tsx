import { useElementSize } from '@mantine/hooks';
import { scaleBand, scaleLinear } from 'd3-scale';
import { seriesColor } from '../../design/palette.ts';
import classes from './charts.module.css';
import { formatCompact, formatNumber } from './numbers.ts';

interface BarChartProps {
  label: string;
  categories: string[];
  /** One bar each in every category. */
  series: { name: string; values: number[]; color?: string }[];
  height: number;
}

const margin = { top: 18, right: 8, bottom: 22, left: 40 };
const LEGEND = 26;
/** Narrower bars have no room for their values. */
const MIN_LABELED = 28;

/** Values of categories, side by side. A line would suggest values between them. The table has them for screen readers. */
export function BarChart({ label, categories, series, height }: BarChartProps) {
  const { ref, width } = useElementSize();
  const plotHeight = height - LEGEND;
  const max = Math.max(0, ...series.flatMap(({ values }) => values));
  const x = scaleBand()
    .domain(categories)
    .range([margin.left, Math.max(margin.left + 1, width - margin.right)])
    .padding(0.3);
  const y = scaleLinear()
    .domain([0, max || 1])
    .range([plotHeight - margin.bottom, margin.top])
    .nice(4);
  const barWidth = Math.min(48, x.bandwidth() / series.length);
  const isLabeled = (at: number) => at % Math.max(1, Math.ceil(48 / Math.max(1, x.step()))) === 0;
  const getColor = (at: number) => series[at]?.color ?? seriesColor(at);
  const description = categories
    .map((name, at) => `${name}: ${series.map((one) => `${one.name} ${formatNumber(one.values[at] ?? 0)}`).join(', ')}`)
    .join('; ');
  return (
    <>
      <ul className={classes.legend} style={{ height: LEGEND - 6 }}>
        {series.map(({ name }, at) => (
          <li key={name}>
            <span className={classes.key} style={{ borderColor: getColor(at) }} />
            {name}
          </li>
        ))}
      </ul>
      <div ref={ref} role="img" aria-label={`${label}. ${description}`} style={{ height: plotHeight }}>
        {width > 0 && (
          <svg width={width} height={plotHeight} aria-hidden style={{ display: 'block' }}>
            {y
              .ticks(4)
              .filter(Number.isInteger)
              .map((tick) => (
                <g key={tick}>
                  <line className={classes.grid} x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
                  <text className={classes.axis} x={margin.left - 6} y={y(tick) + 4} textAnchor="end">
                    {formatCompact(tick)}
                  </text>
                </g>
              ))}
            {categories.map((name, at) => {
              const middle = (x(name) ?? 0) + x.bandwidth() / 2;
              return (
                <g key={name}>
                  {series.map(({ name: of, values }, n) => {
                    const value = values[at] ?? 0;
                    const left = middle + (n - series.length / 2) * barWidth;
                    return (
                      <g key={of}>
                        <rect
                          x={left + 1}
                          y={y(value)}
                          width={Math.max(1, barWidth - 2)}
                          height={y(0) - y(value)}
                          rx={2}
                          fill={getColor(n)}
                        >
                          <title>{`${name}, ${of}: ${formatNumber(value)}`}</title>
                        </rect>
                        {barWidth >= MIN_LABELED && (
                          <text className={classes.axis} x={left + barWidth / 2} y={y(value) - 4} textAnchor="middle">
                            {formatCompact(value)}
                          </text>
                        )}
                      </g>
                    );
                  })}
                  {isLabeled(at) && (
                    <text className={classes.axis} x={middle} y={plotHeight - 5} textAnchor="middle">
                      {name}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
      </div>
    </>
  );
}
