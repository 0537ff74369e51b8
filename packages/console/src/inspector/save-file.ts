/** Hands bytes to the browser as a file to keep. Of a kind that no browser opens, whatever is in it. */
export function saveFile(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser holds on to what it has begun to save.
  URL.revokeObjectURL(url);
}
