import { useElementSize } from '@mantine/hooks';
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { seriesColor } from '../../design/palette.ts';
import classes from './charts.module.css';
import { formatCompact, formatNumber } from './numbers.ts';
import { isLastUnfinished, regularTicks } from './time-scale.ts';

export interface Series {
  name: string;
  /** Null is a gap, which no line crosses. */
  values: readonly (number | null)[];
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

/** Points between two gaps, for which there is no line. */
const findSinglePoints = (values: Series['values']): number[] =>
  values.flatMap((value, at) =>
    value !== null && values.includes(null) && values[at - 1] == null && values[at + 1] == null ? [at] : [],
  );

/** Values over time. Arrow keys move between the points and announce them. */
export function LineChart(props: LineChartProps) {
  const { label, times, series, height, format = formatNumber, timeFormat = dayFormat } = props;
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number>();
  const last = times.length - 1;
  const plotHeight = height - LEGEND;
  const max = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const isUnfinished = isLastUnfinished(times, Date.now());
  const x = scaleLinear()
    .domain([0, Math.max(1, last)])
    .range([margin.left, Math.max(margin.left + 1, width - margin.right)]);
  const y = scaleLinear()
    .domain([0, max || 1])
    .range([plotHeight - margin.bottom, margin.top])
    .nice(4);
  // Counts have no fractions.
  const isLabeled = (tick: number) =>
    Number.isInteger(tick) ||
    !series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));
  type Point = [at: number, value: number | null];
  const isDefined = ([, value]: Point) => value !== null;
  const path = line<Point>(
    ([at]) => x(at),
    ([, value]) => y(value ?? 0),
  ).defined(isDefined);
  const ground = area<Point>(
    ([at]) => x(at),
    y(0),
    ([, value]) => y(value ?? 0),
  ).defined(isDefined);
  const toPoints = ({ values }: Series): Point[] => values.map((value, at) => [at, value]);
  /** The last interval of the current period may still grow, so it is drawn apart. */
  const splitPoints = (one: Series) => {
    const points = toPoints(one);
    return isUnfinished && !one.isPrevious && points.length > 1
      ? { finished: points.slice(0, -1), open: points.slice(-2) }
      : { finished: points, open: [] };
  };
  const formatValue = (value: number | null | undefined) => (value == null ? '—' : format(value));
  const formatTime = (at: number) =>
    `${timeFormat.full(times[at] ?? '')}${isUnfinished && at === last ? ' (so far)' : ''}`;

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
    `${formatTime(at)}: ${series.map(({ name, values }) => `${name} ${formatValue(values[at])}`).join(', ')}`;
  const marks = regularTicks(times.length, Math.max(2, Math.floor(width / 90)));
  const toAnchor = (at: number) => (at === last ? 'end' : x(at) < margin.left + 24 ? 'start' : 'middle');
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
            {marks.map((at) => (
              <text key={at} className={classes.axis} x={x(at)} y={plotHeight - 5} textAnchor={toAnchor(at)}>
                {timeFormat.short(times[at] ?? '')}
              </text>
            ))}
            {series.length <= 2 && series[0] && (
              <path
                className={classes.area}
                d={ground(splitPoints(series[0]).finished) ?? ''}
                fill={getColor(series, 0)}
              />
            )}
            {series.map((one, at) => {
              const { finished, open } = splitPoints(one);
              return (
                <g key={one.name} stroke={getColor(series, at)}>
                  <path
                    className={`${classes.line} ${one.isPrevious ? classes.previous : ''}`}
                    d={path(finished) ?? ''}
                  />
                  {open.length > 0 && <path className={`${classes.line} ${classes.unfinished}`} d={path(open) ?? ''} />}
                </g>
              );
            })}
            {series.flatMap((one, at) =>
              findSinglePoints(one.values).map((on) => (
                <circle
                  key={`${one.name} ${on}`}
                  cx={x(on)}
                  cy={y(one.values[on] ?? 0)}
                  r={2.5}
                  fill={getColor(series, at)}
                />
              )),
            )}
            {last === 0 &&
              series.map(({ name, values }, at) => (
                <circle key={name} cx={x(0)} cy={y(values[0] ?? 0)} r={4} fill={getColor(series, at)} />
              ))}
            {pointed !== undefined && (
              <>
                <line className={classes.cursor} x1={x(pointed)} x2={x(pointed)} y1={margin.top} y2={y(0)} />
                {series.map(
                  ({ name, values }, at) =>
                    values[pointed] != null && (
                      <circle
                        key={name}
                        className={classes.dot}
                        cx={x(pointed)}
                        cy={y(values[pointed] ?? 0)}
                        r={4}
                        fill={getColor(series, at)}
                      />
                    ),
                )}
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
            <strong>{formatTime(pointed)}</strong>
            {series.map(({ name, values, isPrevious }, at) => (
              <div key={name}>
                <span
                  className={`${classes.key} ${isPrevious ? classes.keyPrevious : ''}`}
                  style={{ borderColor: getColor(series, at) }}
                />
                {name}: <strong>{formatValue(values[pointed])}</strong>
              </div>
            ))}
          </div>
        )}
      </div>
    </>
  );
}
