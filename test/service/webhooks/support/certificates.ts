/**
 * Certificates for the tests' TLS servers, encoded in DER by this module without tools or stored keys.
 * It covers the part of X.509 (RFC 5280) that Node needs to check chain, dates and names.
 */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

export interface Certificate {
  name: string;
  privateKey: KeyObject;
  /** Both in PEM, the format of `tls.createServer`. */
  cert: string;
  key: string;
}

interface LeafInput {
  dnsName: string;
  notAfter?: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const OID = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403', basicConstraints: '551d13', subjectAltName: '551d11' };

/** A certificate authority of the tests, which only the tests trust. */
export function newAuthority(name = 'webhook tests CA'): Certificate {
  return issue({ name, issuer: null, extensions: [extension(OID.basicConstraints, sequence(der(0x01, Buffer.from([0xff]))))] });
}

/** A server certificate for one DNS name, signed by an authority, or self-signed if that is null. */
export function newLeaf(issuer: Certificate | null, { dnsName, notAfter }: LeafInput): Certificate {
  const alternativeName = extension(OID.subjectAltName, sequence(der(0x82, Buffer.from(dnsName, 'latin1'))));
  return issue({ name: dnsName, issuer, extensions: [alternativeName], ...(notAfter && { notAfter }) });
}

interface IssueInput {
  name: string;
  issuer: Certificate | null;
  extensions: Buffer[];
  notAfter?: Date;
}

let lastSerial = 0;

function issue({ name, issuer, extensions, notAfter = new Date(Date.now() + DAY_MS) }: IssueInput): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signatureAlgorithm = sequence(oid(OID.ecdsaWithSha256));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([0x40, (lastSerial += 1)])),
    signatureAlgorithm,
    distinguishedName(issuer?.name ?? name),
    sequence(time(new Date(Date.now() - 30 * DAY_MS)), time(notAfter)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', toBeSigned, issuer?.privateKey ?? privateKey);
  const certificate = sequence(toBeSigned, signatureAlgorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return { name, privateKey, cert: pem(certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(commonName, 'utf8')))));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value));
}

/** UTCTime, `YYMMDDHHMMSSZ`. */
function time(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`, 'latin1'));
}

function pem(bytes: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
}
