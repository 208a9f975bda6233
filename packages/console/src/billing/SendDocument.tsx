import { Anchor, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyOf, Schema } from '../api/studio';
import { Action, useActionForm } from '../shared/action';
import { Loaded } from '../shared/feedback';

type Draft = Schema<'MailDraft'>;
type Body = BodyOf<'sendInvoice'>;

interface SendDocumentProps {
  /** Such as `invoice INV-10041`. */
  what: string;
  /** The number of the document, or the account and period of a statement. */
  subject: string;
  /** The URL of the PDF. */
  pdf: string;
  readDraft: () => Promise<Draft>;
  send: (body: Body) => Promise<Schema<'Send'>>;
  button?: { 'aria-label'?: string; size?: string };
}

const OTHER = 'other';

/** Mails a document to the account. The draft of the service is shown before it is sent. */
export function SendDocument({ what, subject, pdf, readDraft, send, button }: SendDocumentProps) {
  const [isOpen, setOpen] = useState(false);
  const { data: draft, ...query } = useQuery({ queryKey: ['draft', subject], queryFn: readDraft, enabled: isOpen, gcTime: 0 });
  // Null until the person changes it.
  const form = useActionForm(
    () => ({ to: null as string | null, other: '', isConfirmed: false, subject: null as string | null, message: null as string | null }),
    (values) => ({
      draft: draft === undefined && 'The draft is loading',
      other: values.to === OTHER && !/^\S+@\S+$/.test(values.other.trim()) && 'Enter an email address',
      confirmed: values.to === OTHER && !values.isConfirmed && 'Confirm the address',
      subject: values.subject?.trim() === '' && 'Enter a subject',
      message: values.message?.trim() === '' && 'Enter a text',
    }),
  );
  const isOther = form.values.to === OTHER;
  const run = (sendId: string) => {
    const { to, other, subject: title, message } = form.values;
    const recipient = isOther ? other.trim() : (to ?? draft?.to ?? '');
    const texts = { subject: title ?? draft?.subject ?? '', message: message ?? draft?.message ?? '' };
    return send({ sendId, to: recipient, ...texts, ...(isOther && { otherAddress: true }) });
  };
  return (
    <Action
      label="Send"
      title={`Send ${what}`}
      consequences={['The client gets this mail with the PDF. You cannot recall it.']}
      subject={subject}
      run={run}
      toast={({ recipient }) => `On its way to ${recipient}`}
      {...form.action}
      onOpen={() => setOpen(true)}
      button={button}
    >
      <Loaded query={{ data: draft, ...query } as never} what="Loading the draft">
        {({ to, recipients, subject: title, message, fileName }: Draft) => (
          <>
            <NativeSelect
              label="To"
              data={[
                ...recipients.map(({ name, email }) => ({ value: email, label: `${name}, ${email}` })),
                { value: OTHER, label: 'Other address' },
              ]}
              {...form.field('to')}
              value={form.values.to ?? to}
            />
            {isOther && (
              <>
                <TextInput
                  label="Email"
                  type="email"
                  withAsterisk
                  maxLength={320}
                  {...form.field('other')}
                  onChange={(event) => form.setValues({ other: event.currentTarget.value, isConfirmed: false })}
                />
                <Checkbox
                  label="Send to this address, which is not one of the account"
                  {...form.getInputProps('isConfirmed', { type: 'checkbox' })}
                />
              </>
            )}
            <TextInput label="Subject" withAsterisk maxLength={200} {...form.field('subject')} value={form.values.subject ?? title} />
            <Textarea
              label="Text"
              withAsterisk
              autosize
              minRows={8}
              maxLength={5000}
              {...form.field('message')}
              value={form.values.message ?? message}
            />
            <Anchor size="sm" href={pdf} target="_blank" rel="noopener">
              {fileName}
            </Anchor>
          </>
        )}
      </Loaded>
    </Action>
  );
}
