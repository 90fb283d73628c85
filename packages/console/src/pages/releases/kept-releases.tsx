import { Checkbox, Group, NumberInput, Paper, Text } from '@mantine/core';
import { releaseRetention_set } from '@mooring/contract';
import { useState } from 'react';
import {
  type EffectiveRetention,
  type RetentionPreview,
  type RetentionRule,
  usePreviewRetention,
  useReleaseRetention,
  useSetRetention,
} from '../../api/release-retention.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { sizeInWords } from '../../parts/size-words.ts';

/** Which releases of the app stay, and what would go. */
export function KeptReleases() {
  const { appRef, may } = useAppHere();
  const retention = useReleaseRetention(appRef);
  return (
    <Part title="Releases" lead="Old ones are deleted every hour, with their files.">
      <Paper withBorder p="lg" maw={720}>
        <Loaded reading={retention}>
          {(rule) => (
            <>
              <Text size="sm">{inWords(rule)}</Text>
              {may(releaseRetention_set) && <Rule rule={rule} />}
            </>
          )}
        </Loaded>
      </Paper>
    </Part>
  );
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

export function inWords({ keep_last, keep_days, keep_latest, source }: EffectiveRetention): string {
  if (keep_last === undefined && keep_days === undefined) return 'All releases are kept.';
  const kept = [
    ...(keep_last === undefined ? [] : [`the last ${count(keep_last, 'release')}`]),
    ...(keep_days === undefined ? [] : [`those of the last ${count(keep_days, 'day')}`]),
    ...(keep_latest ? ['what is the latest of a group, or in a store'] : []),
  ];
  const whose = source === 'organization' ? 'By the rule of the organization, these are kept' : 'Kept are';
  return `${whose}: ${kept.join('; ')}.`;
}

const numberIn = (fields: Fields, name: string): number | undefined => {
  const typed = fields.text(name);
  return typed === undefined ? undefined : Number(typed);
};

function Rule({ rule }: { rule: EffectiveRetention }) {
  const { appRef } = useAppHere();
  const preview = usePreviewRetention(appRef);
  const setting = useSetRetention(appRef);
  return <RuleForm rule={rule} preview={preview} setting={setting} gone={(data) => [{ ...data, name: '' }]} />;
}

/** What would go, of each app. */
type Gone = (RetentionPreview & { name: string })[];

interface RuleFormProps<Preview> {
  rule: EffectiveRetention;
  preview: {
    data: Preview | undefined;
    isPending: boolean;
    error: unknown;
    mutate: (rule: RetentionRule, options: { onSuccess: () => void }) => void;
  };
  setting: {
    isPending: boolean;
    error: unknown;
    mutate: (rule: RetentionRule, options: { onSuccess: () => void }) => void;
    reset: () => void;
  };
  gone: (preview: Preview) => Gone;
}

/** A rule, of which is shown what it would delete before it is kept. */
export function RuleForm<Preview>({ rule, preview, setting, gone }: RuleFormProps<Preview>) {
  const [wanted, setWanted] = useState<RetentionRule>();
  const close = () => {
    setWanted(undefined);
    setting.reset();
  };
  const send = (fields: Fields) => {
    const [keep_last, keep_days] = [numberIn(fields, 'keep_last'), numberIn(fields, 'keep_days')];
    const asked: RetentionRule = {
      ...(keep_last === undefined ? {} : { keep_last }),
      ...(keep_days === undefined ? {} : { keep_days }),
      keep_latest: fields.isOn('keep_latest'),
    };
    preview.mutate(asked, { onSuccess: () => setWanted(asked) });
  };
  const all = preview.data === undefined ? undefined : gone(preview.data);
  return (
    <>
      <Form action="Preview" sending={preview} isFleeting onSend={send}>
        <Group gap="md" align="flex-start" mt="sm">
          <NumberInput
            name="keep_last"
            label="Keep the last"
            description="So many releases stay; empty: none for that reason."
            defaultValue={rule.keep_last ?? ''}
            min={1}
            max={10_000}
            allowDecimal={false}
          />
          <NumberInput
            name="keep_days"
            label="Keep for days"
            description="What is younger stays; empty: none for that reason."
            defaultValue={rule.keep_days ?? ''}
            min={1}
            max={3650}
            allowDecimal={false}
          />
        </Group>
        <Checkbox
          name="keep_latest"
          label="What is the latest of a group, or in a store, stays anyway"
          defaultChecked={rule.keep_latest}
        />
      </Form>
      {wanted && all && (
        <Confirm
          title="Keep releases by this rule?"
          action="Save"
          isDangerous={all.some(({ releases }) => releases.length > 0)}
          doing={setting}
          onConfirm={() => setting.mutate(wanted, { onSuccess: close })}
          onClose={close}
        >
          <WhatGoes all={all} />
        </Confirm>
      )}
    </>
  );
}

const MOST_SHOWN = 20;

function WhatGoes({ all }: { all: Gone }) {
  const releases = all.flatMap(({ name, releases }) => releases.map((release) => ({ ...release, name })));
  if (releases.length === 0) return <Text>No release would be deleted now.</Text>;
  return (
    <>
      <Text>
        {count(releases.length, 'release')} of {sizeInWords(all.reduce((sum, { size }) => sum + size, 0))} would be
        deleted within the hour, with their files. That cannot be undone.
      </Text>
      <Text size="sm" component="ul" m={0}>
        {releases.slice(0, MOST_SHOWN).map(({ name, id, short_version, version }) => (
          <li key={`${name} ${id}`}>
            {name && `${name}: `}
            {short_version} ({version}), release {id}
          </li>
        ))}
        {releases.length > MOST_SHOWN && <li>and {releases.length - MOST_SHOWN} more</li>}
      </Text>
    </>
  );
}
