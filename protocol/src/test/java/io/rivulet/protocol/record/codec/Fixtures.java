package io.rivulet.protocol.record.codec;

import java.util.Base64;

/** {@link Bytes#cyclic} of {@link #LENGTH} bytes, compressed by the command line tools of LZ4 1.9.4 and Zstandard. */
final class Fixtures {
    static final int LENGTH = 180_000;

    /** lz4 -B4 -BD: linked blocks of 64 KiB, content checksum. */
    static final byte[] LZ4_LINKED =
            gunzipped("H4sIAAAAAAACA2NR8pVwcYgzZ2Jg+P9f7lhdY7b370e/Q77tvV8j87Cdcb/hvbAifvf0tPbIVR02ka/ChKsvtS68YR"
                    + "MSqm++LjX6FlPljDOPpcr64m/O7Je3N3vnXOHL+2vfsltP2vruaOb6/Q97WKDwu39jBOuEo5x3gs+usvaYGXQ5aC7b"
                    + "/FdbD7EJz/DcxCi3xqjDcE6Q29RCs/7wb5ayYr86Sr7OqBGPcdydW9jHXxB5nFFa39h24gHZpby8q4176+L67Z5llC"
                    + "yz2nh4suCKlOO3Tz1IePh5PydD+qLHqgsUDduvJh1d4V+nx5k9Zf6G3JXzorjdChq2nXfnWbZU68aa3wteb69UKVKe"
                    + "5NFwdNny1u3XeyY8WZ3sEpT2eI6x6s+4VbuKE2K9C+v2rewJlyw8fCruqZbxmo7AtIXVpekpszLf54c5LZANPMr0ff"
                    + "ckVx3G/yMb7A4AxxUXIwMDf8X/kQ5eBIBTzDdGcEbCl3BGMxlqJhvqGWlWADhaGYBANnLaNwAQ6abSUgUAAA==");

    /** lz4 -B4 -BX -BD --content-size: linked blocks, block checksums, content size, content checksum. */
    static final byte[] LZ4_LINKED_CHECKED =
            gunzipped("H4sIAAAAAAACA2NR8pWIcVDYz8QAAq3mQPr/f7ljdY3Z3r8f/Q75tvd+jczDdsb9hvfCivjd09PaI1d12ES+ChOuvt"
                    + "S68IZNSKi++brU6FtMlTPOPJYq64u/ObNf3t7snXOFL++vfctuPWnru6OZ6/c/7GGBwu/+jRGsE45y3gk+u8raY2bQ"
                    + "5aC5bPNfbT3EJjzDcxOj3BqjDsM5QW5TC836w79Zyor96ij5OqNGPMZxd25hH39B5HFGaX1j24kHZJfy8q427q2L67"
                    + "d7llGyzGrj4cmCK1KO3z71IOHh5/2cDOmLHqsuUDRsv5p0dIV/nR5n9pT5G3JXzovidito2HbenWfZUq0ba34veL29"
                    + "UqVIeZJHw9Fly1u3X++Z8GR1sktQ2uM5xqo/41btKk6I9S6s27eyJ1yy8PCpuKdaxms6AtMWVpemp8zKfJ8f5rRANv"
                    + "Ao0/fdk1x1GP+PbLA7ABxX2rc+anAxMjDwV/wf6eBFADjVMHEenfiNEZyh8CWg0cyGmtmGeoaaFQCO1iOLYxhBZaps"
                    + "5LRvANvoArtmBQAA");

    /** lz4 -B4 -BX --content-size: independent blocks, block checksums, content size, content checksum. */
    static final byte[] LZ4_INDEPENDENT_CHECKED =
            gunzipped("H4sIAAAAAAACA2NR8pWocVDYz8QAAmzmQPr/f7ljdY3Z3r8f/Q75tvd+jczDdsb9hvfCivjd09PaI1d12ES+ChOuvt"
                    + "S68IZNSKi++brU6FtMlTPOPJYq64u/ObNf3t7snXOFL++vfctuPWnru6OZ6/c/7GGBwu/+jRGsE45y3gk+u8raY2bQ"
                    + "5aC5bPNfbT3EJjzDcxOj3BqjDsM5QW5TC836w79Zyor96ij5OqNGPMZxd25hH39B5HFGaX1j24kHZJfy8q427q2L67"
                    + "d7llGyzGrj4cmCK1KO3z71IOHh5/2cDOmLHqsuUDRsv5p0dIV/nR5n9pT5G3JXzovidito2HbenWfZUq0ba34veL29"
                    + "UqVIeZJHw9Fly1u3X++Z8GR1sktQ2uM5xqo/41btKk6I9S6s27eyJ1yy8PCpuKdaxms6AtMWVpemp8zKfJ8f5rRANv"
                    + "Ao0/fdk1x1GP+PbLA7ABxX2rc+akCTz1CItsGSxEeTTwA4rk4u5pD6xghOPkMh2gZLEh/qyWdWADhajyyOYQRVQLKR"
                    + "074BAFNYpS6TBgAA");

    /** zstd --ultra -22 --long=27 from a pipe: declares a window of 128 MiB. */
    static final byte[] ZSTD_LEVEL_22 = Base64.getDecoder()
            .decode("KLUv/QSIvAkAxBLGfoFrS/vi+1T2vd98HOGHAb8x3lZyD0dnZodZqog8WepWE3vShaHYPFRVLzeuZVvaAnmYzOMado"
                    + "5f2ZmPHz827kN4TQ36vqba5IaO3CltTv9W4XAg+4+xWAWQxQncU82qO0iZUtNSnQaf6rXCBhOYSbIBHqwyiDGcUkaV"
                    + "cTaPV/Y5HRb6iHT1mHwXXEG7bXGOD3BZxwEbLzM9kcAdpQ0NqzONfl6PPuZodKY6scOTEahkx9vK4GDh878JAGei4y"
                    + "WgITGH1WLFqE9+LglrlJ+wbameWgtGcIC2z0cMpqUq2Kz7oOu3eSRyI5JIgMWmp4W314yQ5KtjRFJm45wzJfleqrpz"
                    + "YF1LcX6+qYxXGXHDyl7lKjOsiFFmoXt1Z2Saae9vVkKgHVHFAve7kkUBACzR/i/5mgJVAAAAAQAdv3l/XQMBI4mhxg"
                    + "==");

    private Fixtures() {}

    private static byte[] gunzipped(String base64) {
        return Bytes.decompressed(Codec.GZIP, Base64.getDecoder().decode(base64));
    }
}
