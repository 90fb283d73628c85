import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { codePushDeploymentReleases_create, PACKAGE_MAX_BYTES } from '@mooring/contract';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useRelease } from '../../api/codepush.ts';
import type { SendingProgress } from '../../api/file-parts.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { useDialogGuard } from '../../parts/dialog-guard.ts';
import { DropZone } from '../../parts/drop-zone.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField } from '../../parts/fields.tsx';
import { FileProgress } from '../../parts/file-progress.tsx';
import { Form } from '../../parts/form.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';
import { useAppHere } from '../../parts/may.ts';
import { newGuid } from '../../parts/new-guid.ts';
import { sizeInWords } from '../../parts/size-words.ts';
import { RolloutField } from './rollout-field.tsx';

interface NewReleaseProps {
  deployment: string;
  /** What the newest release is for: most often the next one is, too. */
  target: string | undefined;
}

export const NewReleaseButton = ({ deployment, target }: NewReleaseProps) => (
  <DialogButton
    label="New release"
    title={`New release to ${deployment}`}
    width="lg"
    leftSection={<IconUpload size={16} aria-hidden />}
  >
    {(close) => <NewRelease deployment={deployment} target={target} onClose={close} />}
  </DialogButton>
);

/** A file, and the id under which it is sent: what was refused is sent again only as far as it has not arrived. */
interface Chosen {
  file: File;
  uploadId: string;
}

function problemOf({ name, size }: File): string | undefined {
  if (size === 0) return `“${name}” is empty. Bundle the app again.`;
  return size > PACKAGE_MAX_BYTES
    ? `“${name}” is larger than ${sizeInWords(PACKAGE_MAX_BYTES)}, which is the most that a package may have.`
    : undefined;
}

function NewRelease({ deployment, target, onClose }: NewReleaseProps & { onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const take = (file: File | null | undefined) => {
    if (!file) return;
    const found = problemOf(file);
    setProblem(found);
    if (!found) setChosen({ file, uploadId: newGuid() });
  };
  if (chosen)
    return (
      <Describe
        deployment={deployment}
        target={target}
        chosen={chosen}
        onOther={() => setChosen(undefined)}
        onClose={onClose}
      />
    );
  return (
    <Stack gap="md">
      <DropZone onFile={take} hint="A .zip of the bundle and its assets, or the bundle alone" onCancel={onClose}>
        Drop a package here
      </DropZone>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  );
}

const rule = fieldsOf(codePushDeploymentReleases_create);

interface DescribeProps extends NewReleaseProps {
  chosen: Chosen;
  onOther: () => void;
  onClose: () => void;
}

/** Whom a package is for, and what is new in it; then it is sent and released. */
function Describe({ deployment, target, chosen: { file, uploadId }, onOther, onClose }: DescribeProps) {
  const { appRef } = useAppHere();
  const release = useRelease(appRef, deployment);
  const [rollout, setRollout] = useState(100);
  const [progress, setProgress] = useState<SendingProgress>();
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  useDialogGuard(release.isPending ? 'The package is not released. What has arrived of it is thrown away.' : undefined);
  return (
    <Form
      action="Release"
      sending={release}
      onCancel={onClose}
      onSend={(fields) => {
        sending.current = new AbortController();
        release.mutate(
          {
            file,
            uploadId,
            signal: sending.current.signal,
            onProgress: setProgress,
            target_binary_version: fields.text('target_binary_version') ?? '',
            description: fields.text('description') ?? '',
            mandatory: fields.isOn('mandatory'),
            rollout,
          },
          { onSuccess: onClose },
        );
      }}
    >
      {release.isPending && progress ? (
        <FileProgress
          fileName={file.name}
          size={file.size}
          progress={progress}
          words={progress.sent < file.size ? 'Leave this open until it has arrived.' : 'The package is being read…'}
        />
      ) : (
        <Group justify="space-between">
          <Text size="sm">
            <strong>{file.name}</strong>, {sizeInWords(file.size)}
          </Text>
          <Button variant="default" size="xs" onClick={onOther}>
            Choose another file
          </Button>
        </Group>
      )}
      <NameField
        name="target_binary_version"
        label="For versions of the app"
        description="A version such as 1.2.0, or a range such as ^1.2.0; * is for all of them."
        rule={rule('target_binary_version')}
        defaultValue={target}
        data-autofocus
      />
      <LongTextField name="description" label="What is new" rule={rule('description')} />
      <Checkbox name="mandatory" label="Devices must install it" />
      <RolloutField value={rollout} min={1} onChange={setRollout} />
      <Text size="sm" c="dimmed">
        {rollout < 100
          ? `${rollout} of a hundred devices of ${deployment} get it`
          : `All devices of ${deployment} get it`}{' '}
        at their next question, if their version of the app is among these.
      </Text>
    </Form>
  );
}
