import { mailText, onOneLine } from '../../../src/mail/mail-text';

describe('a text of others in a mail', () => {
  it('cannot add a line, and cannot reverse or hide the text beside it', () => {
    const name = 'Ada\r\nBcc: eve\u2028\u202emoc.live\u2066\u200b';
    expect(onOneLine(name)).toBe('Ada Bcc: eve moc.live');
    expect(mailText([`  Dear ${name},`, 'x'])).toBe('  Dear Ada Bcc: eve moc.live,\nx');
  });

  it('keeps letters of any script and emoji', () => {
    const name = 'Zoë \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 👩\u200d🎨';
    expect(onOneLine(name)).toBe(name);
  });
});
