import { announcements, announcementTypes } from '@mooring/contract';
import { announcementExamples } from '@mooring/contract/examples';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { formatAnnouncement } from './announcement-text.ts';
import type { Announcement } from './announcements.ts';
import { buildMessage, type Format, formatFor } from './forms.ts';

const ajv = addFormats.default(new Ajv({ strict: false }));
const publicUrl = 'https://mooring.example.com';
const at = Date.parse('2026-11-01T09:00:00Z');

const announced = (type: Announcement['type'], more: object = {}, isTest = false) =>
  ({ id: 'a', type, at, isTest, data: { ...announcementExamples[type], ...more } }) as Announcement;
const sent = (format: Format, announcement: Announcement) =>
  JSON.parse(buildMessage(format, { messageId: 'm', announcement, publicUrl }).body);

describe('announcement text', () => {
  test.each(announcementTypes)('%s has an example that fits its schema, and a text', (type) => {
    const fits = ajv.compile(announcements[type].data);
    expect([fits(announcementExamples[type]), fits.errors]).toEqual([true, null]);
    const one = announced(type);
    expect(sent('cloudevents', one)).toEqual({
      specversion: '1.0',
      id: 'm',
      type: `mooring.${type}`,
      source: publicUrl,
      subject: announcements[type].level === 'app' ? 'harbour/compass' : 'harbour',
      time: '2026-11-01T09:00:00.000Z',
      datacontenttype: 'application/json',
      data: announcementExamples[type],
    });
    expect(sent('plain', one)).toEqual(announcementExamples[type]);
    const { text, blocks } = sent('slack', one);
    expect(text).toMatch(/\w/);
    expect(blocks.at(-1).elements[0].url).toBe(announcementExamples[type].url);
    const [card] = sent('teams', one).attachments;
    expect(card.content.actions[0].url).toBe(announcementExamples[type].url);
  });

  test('the fields of builds, crashes and releases are those that existing receivers know', () => {
    const keys = (type: Announcement['type']) => Object.keys(announcements[type].data.properties);
    expect(keys('buildFinished')).toEqual(
      expect.arrayContaining(
        'app_name branch build_status build_id build_link build_reason start_time finish_time sent_at source_version os icon_link notification_settings_link'.split(
          ' ',
        ),
      ),
    );
    expect(keys('newCrashGroupCreated')).toEqual(
      expect.arrayContaining(
        'id name reason url app_display_name app_platform app_version stack_trace affected_users crash_count sent_at app_id'.split(
          ' ',
        ),
      ),
    );
    expect(keys('newAppReleased')).toEqual(
      expect.arrayContaining(
        'app_name app_display_name release_id platform uploaded_at fingerprint release_notes version short_version min_os mandatory_update size provisioning_profile_name provisioning_profile_type bundle_identifier install_link icon_link distribution_group_id installable sent_at app_id'.split(
          ' ',
        ),
      ),
    );
  });

  test('a crash shows its innermost calls, if there are any', () => {
    const listFacts = (stack_trace: string[]) =>
      formatAnnouncement(announced('newCrashGroupCreated', { stack_trace })).facts;
    const calls = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(listFacts(calls)).toContainEqual(['Stack', 'a\nb\nc\nd\ne']);
    expect(listFacts([]).map(([label]) => label)).not.toContain('Stack');
  });

  test('a test is marked as such, in every format', () => {
    const one = announced('memberJoined', {}, true);
    expect(sent('cloudevents', one).istest).toBe(true);
    expect(sent('plain', one).is_test).toBe(true);
    expect(sent('slack', one).text).toMatch(/^Test: /);
    expect(sent('teams', one).attachments[0].content.body[0].inlines[0].text).toMatch(/^Test: /);
  });

  test('user-provided text creates no links or chat mentions and is truncated', () => {
    const reason = `<!channel> <https://evil.example|here> [x](https://evil.example)\n${'y'.repeat(100_000)}\0`;
    const one = announced('newCrashGroupCreated', { reason, name: reason });
    const slack = sent('slack', one);
    expect(slack.text).not.toMatch(/[<>\n\0]/);
    for (const block of slack.blocks.slice(0, -1)) expect(block.text.type).toBe('plain_text');
    expect(slack.blocks[0].text.text.length).toBeLessThanOrEqual(150);
    const { body } = sent('teams', one).attachments[0].content;
    for (const block of body) expect(block.type).toBe('RichTextBlock');
    expect(JSON.stringify(slack).length + JSON.stringify(body).length).toBeLessThan(10_000);
  });

  test('chats are recognized by their exact host', () => {
    expect(formatFor('https://hooks.slack.com/services/T/B/x')).toBe('slack');
    expect(formatFor('https://contoso.webhook.office.com/webhookb2/x')).toBe('teams');
    expect(formatFor('https://prod-1.westeurope.logic.azure.com/workflows/x')).toBe('teams');
    expect(formatFor('https://hooks.slack.com.evil.example/')).toBe('cloudevents');
  });
});
