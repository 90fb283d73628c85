import { useElementSize } from '@mantine/hooks';
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { seriesColor } from '../../design/palette.ts';
import classes from './charts.module.css';
import { formatCompact, formatNumber } from './numbers.ts';

export interface Series {
  name: string;
  values: number[];
  /** The previous period, drawn in the color of the preceding series. */
  isPrevious?: boolean;
}

interface LineChartProps {
  label: string;
  /** Start of each interval. */
  times: string[];
  series: Series[];
  height: number;
  format?: (value: number) => string;
  /** Formats a time for the axis and in full; by default as days. */
  timeFormat?: { short: (time: string) => string; full: (time: string) => string };
}

const margin = { top: 8, right: 8, bottom: 22, left: 40 };
const LEGEND = 26;
const days = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const utcDays = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
export const formatDay = (time: string): string => utcDays.format(new Date(time));
const dayFormat = { short: (time: string) => days.format(new Date(time)), full: formatDay };

const getColor = (series: Series[], at: number): string => {
  const before = series.slice(0, at + 1).filter(({ isPrevious }) => !isPrevious).length;
  return seriesColor(before - 1);
};

/** Values over time. Arrow keys move between the points and announce them. */
export function LineChart(props: LineChartProps) {
  const { label, times, series, height, format = formatNumber, timeFormat = dayFormat } = props;
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number>();
  const last = times.length - 1;
  const plotHeight = height - LEGEND;
  const max = Math.max(0, ...series.flatMap(({ values }) => values));
  const x = scaleLinear()
    .domain([0, Math.max(1, last)])
    .range([margin.left, Math.max(margin.left + 1, width - margin.right)]);
  const y = scaleLinear()
    .domain([0, max || 1])
    .range([plotHeight - margin.bottom, margin.top])
    .nice(4);
  // Counts have no fractions.
  const isLabeled = (tick: number) =>
    Number.isInteger(tick) || !series.every(({ values }) => values.every(Number.isInteger));
  const path = line<number>((_, at) => x(at), y);
  const ground = area<number>((_, at) => x(at), y(0), y);

  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const at = x.invert(clientX - currentTarget.getBoundingClientRect().left);
    setPointed(Math.max(0, Math.min(last, Math.round(at))));
  };
  const step = (event: KeyboardEvent) => {
    const from = pointed ?? last;
    const to = {
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      PageDown: from - 7,
      PageUp: from + 7,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setPointed(Math.max(0, Math.min(last, to)));
  };

  const valueText = (at: number): string =>
    `${timeFormat.full(times[at] ?? '')}: ${series.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`).join(', ')}`;
  const tickCount = Math.max(2, Math.min(times.length, Math.floor(width / 90)));
  const marks = Array.from({ length: tickCount }, (_, n) => Math.round((n * last) / (tickCount - 1)));
  return (
    <>
      <ul className={classes.legend} style={{ height: LEGEND - 6 }}>
        {series.map(({ name, isPrevious }, at) => (
          <li key={name}>
            <span
              className={`${classes.key} ${isPrevious ? classes.keyPrevious : ''}`}
              style={{ borderColor: getColor(series, at) }}
            />
            {name}
          </li>
        ))}
      </ul>
      <div
        ref={ref}
        className={classes.plot}
        style={{ height: plotHeight }}
        role="slider"
        tabIndex={0}
        aria-label={`${label} by day`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={pointed ?? last}
        aria-valuetext={valueText(pointed ?? last)}
        onKeyDown={step}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
        onBlur={() => setPointed(undefined)}
      >
        {width > 0 && (
          <svg width={width} height={plotHeight} aria-hidden>
            {y
              .ticks(4)
              .filter(isLabeled)
              .map((tick) => (
                <g key={tick}>
                  <line className={classes.grid} x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
                  <text className={classes.axis} x={margin.left - 6} y={y(tick) + 4} textAnchor="end">
                    {formatCompact(tick)}
                  </text>
                </g>
              ))}
            {[...new Set(marks)].map((at) => (
              <text
                key={at}
                className={classes.axis}
                x={x(at)}
                y={plotHeight - 5}
                textAnchor={at === 0 ? 'start' : at === last ? 'end' : 'middle'}
              >
                {timeFormat.short(times[at] ?? '')}
              </text>
            ))}
            {series.length <= 2 && series[0] && (
              <path className={classes.area} d={ground(series[0].values) ?? ''} fill={getColor(series, 0)} />
            )}
            {series.map(({ name, values, isPrevious }, at) => (
              <path
                key={name}
                className={`${classes.line} ${isPrevious ? classes.previous : ''}`}
                d={path(values) ?? ''}
                stroke={getColor(series, at)}
              />
            ))}
            {last === 0 &&
              series.map(({ name, values }, at) => (
                <circle key={name} cx={x(0)} cy={y(values[0] ?? 0)} r={4} fill={getColor(series, at)} />
              ))}
            {pointed !== undefined && (
              <>
                <line className={classes.cursor} x1={x(pointed)} x2={x(pointed)} y1={margin.top} y2={y(0)} />
                {series.map(({ name, values }, at) => (
                  <circle
                    key={name}
                    className={classes.dot}
                    cx={x(pointed)}
                    cy={y(values[pointed] ?? 0)}
                    r={4}
                    fill={getColor(series, at)}
                  />
                ))}
              </>
            )}
          </svg>
        )}
        {pointed !== undefined && (
          <div
            className={classes.tip}
            aria-hidden
            style={x(pointed) > width / 2 ? { right: width - x(pointed) + 12 } : { left: x(pointed) + 12 }}
          >
            <strong>{timeFormat.full(times[pointed] ?? '')}</strong>
            {series.map(({ name, values, isPrevious }, at) => (
              <div key={name}>
                <span
                  className={`${classes.key} ${isPrevious ? classes.keyPrevious : ''}`}
                  style={{ borderColor: getColor(series, at) }}
                />
                {name}: <strong>{format(values[pointed] ?? 0)}</strong>
              </div>
            ))}
          </div>
        )}
      </div>
    </>
  );
}
