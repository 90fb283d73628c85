import { expect, it } from 'vitest';
import { createNews } from './news.ts';

const event = (name: string, time: string) => ({ name, properties: { lastUpdateTime: `2026-11-01T${time}.000Z` } });
const namesOf = (events: { name: string }[]) => events.map(({ name }) => name);

it('tells of an event once, and again when it has changed', () => {
  const news = createNews();
  expect(namesOf(news.among([event('B', '09:00:02'), event('A', '09:00:01')]))).toEqual(['A', 'B']);
  expect(news.among([event('B', '09:00:02'), event('A', '09:00:01')])).toEqual([]);
  expect(namesOf(news.among([event('A', '09:00:05'), event('B', '09:00:02')]))).toEqual(['A']);
});

it('reads a minute again, so that what was committed late is not missed', () => {
  const news = createNews();
  news.among([event('B', '09:02:00')]);
  expect(news.from()).toBe('2026-11-01T09:01:00.000Z');
  expect(namesOf(news.among([event('B', '09:02:00'), event('late', '09:01:30')]))).toEqual(['late']);
  expect(news.from()).toBe('2026-11-01T09:01:00.000Z');
});

it('forgets what can no longer be read again', () => {
  const news = createNews();
  news.among([event('A', '09:00:00')]);
  news.among([event('B', '09:10:00')]);
  expect(namesOf(news.among([event('A', '09:00:00')]))).toEqual(['A']);
});

it('never reads from before its start', () => {
  const start = '2026-11-01T09:00:00.000Z';
  const news = createNews(start);
  expect(news.from()).toBe(start);
  news.among([event('A', '09:00:30')]);
  expect(news.from()).toBe(start);
  news.among([event('A', '09:05:00')]);
  expect(news.from()).toBe('2026-11-01T09:04:00.000Z');
  expect(createNews().from()).toBeUndefined();
});
