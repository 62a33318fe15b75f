// SPDX-License-Identifier: GPL-3.0-or-later
// Calls the modules of --emit=rust: rust.sh compiles it.
mod blocks;
mod constants;
mod picked;
mod products;
mod words;

use products::{Error, Isa, Options, Workspace};

fn test_products() {
    let (a, b) = (vec![2f32; 33 * 20], vec![3f32; 20 * 17]);
    let mut c = vec![0f32; 33 * 17];
    assert_eq!(products::product(33, 17, 20, &a, &b, &mut c), Ok(()));
    assert!(c.iter().all(|&x| x == 120.0));
    assert_eq!(products::product(2, 2, 2, &a[..4], &a[..4], &mut c[..4]), Ok(()));
    assert_eq!(c[..5], [8.0, 8.0, 8.0, 8.0, 120.0]);
    products::product(33, 17, 20, &a, &b, &mut c).unwrap();
    let mut options = Options { threads: 3, speeds: Some(&[1.0, 0.5, 1.0]), ..Options::default() };
    let bytes = products::product_workspace(&mut options, 33, 17, 20).unwrap();
    let mut room = Workspace::new(bytes);
    options.workspace = Some(&mut room);
    products::accumulate_with(&mut options, 33, 17, 20, &a, &b, &mut c).unwrap();
    assert!(c.iter().all(|&x| x == 240.0));
    assert!(products::product_explain(&mut options, 300, 400, 500).unwrap().len() > 40);
    // Large enough that threads have a part each.
    let (m, n, k) = (300, 280, 260);
    let a: Vec<f32> = (0..m * k).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..k * n).map(|i| (i % 5) as f32).collect();
    let (mut one, mut three) = (vec![0f32; m * n], vec![0f32; m * n]);
    products::product(m as i32, n as i32, k as i32, &a, &b, &mut one).unwrap();
    products::product_with(&mut options, m as i32, n as i32, k as i32, &a, &b, &mut three).unwrap();
    assert_eq!(one, three);
    let expected: f32 = (0..k).map(|i| a[5 * k + i] * b[i * n + 3]).sum();
    assert_eq!(one[5 * n + 3], expected);

    let refused = products::product(33, 16, 20, &a[..660], &b[..320], &mut c).unwrap_err();
    assert_eq!(refused, Error::Length { array: "C", expected: 528, found: 561 });
    assert_eq!(refused.to_string(), "C: 561 elements, but the extents say 528");
    assert_eq!(products::product(-1, 1, 1, &a, &b, &mut c), Err(Error::NegativeExtent));
    assert!(matches!(products::product(i32::MAX, 1, i32::MAX, &a, &b, &mut c), Err(Error::Length { array: "A", .. })));
    assert_eq!(products::product(0, 1, 1, &[], &b[..1], &mut []), Ok(()));
    options.speeds = Some(&[1.0]);
    assert_eq!(products::product_with(&mut options, 0, 1, 1, &[], &b[..1], &mut []), Err(Error::Speeds));
    if cfg!(target_arch = "x86_64") {
        let mut options = Options { isa: Isa::Neon, ..Options::default() };
        assert_eq!(products::product_with(&mut options, 1, 1, 1, &a[..1], &b[..1], &mut c[..1]), Err(Error::Unsupported));
    }
}

fn test_convolution() {
    let (image, filter) = (vec![1f32; 8 * 9 * 3], vec![1f32; 3 * 3 * 3 * 4]);
    let mut output = vec![0f32; 4 * 5 * 4];
    products::conv2d(1, 8, 9, 3, 4, 3, 3, 2, 1, &image, &filter, &mut output).unwrap();
    assert_eq!((output[0], output[4 * (5 + 1)]), (12.0, 27.0));
    assert_eq!(products::conv2d(1, 8, 9, 3, 4, 3, 3, 0, 1, &image, &filter, &mut output), Err(Error::Arithmetic));
}

fn test_words() {
    let mut y = vec![0i64; 2];
    words::integers(2, true, 1, -1, 255, -300, 65535, u32::MAX, -5, 7, -(1 << 50), 1 << 40, &[true, false], &[1, 1], &[1, 1], &[1, 1], &[1, 1],
        &[1, 1], &[1, 1], &[1, 1], &[1, 1], &[1, 1], &[1, 1], &mut y).unwrap();
    assert_eq!(y[0] - y[1], 1);
    assert_eq!(y[1], -(1i64 << 50) + 1 - 1 + 255 - 300 + 65535 + 1 + u32::MAX as i64 - 5 + 7 + (1 << 40));
    let sized: Vec<Vec<f32>> = [8usize, 14 + 2, 6, 1, 3, 7, 6].iter().map(|&n| vec![1f32; n]).collect();
    let mut y = vec![0f32; 7];
    unsafe {
        words::extents(7, 2, 0, &sized[0], &sized[1], &sized[2], &sized[3], &sized[4], &sized[5], &sized[6], &mut y).unwrap();
        assert_eq!(y, [6f32; 7]);
        let refused = words::extents(7, 2, u32::MAX, &sized[0], &sized[1], &sized[2], &sized[3], &sized[4], &sized[5], &sized[6], &mut y);
        assert_eq!(refused, Err(words::Error::Length { array: "d", expected: 0, found: 1 }));
        let mut picked = [0f32; 3];
        words::gather(3, 4, &[3, 0, 1], &[5.0, 6.0, 7.0, 8.0], &mut picked).unwrap();
        assert_eq!(picked, [8.0, 5.0, 6.0]);
    }
    let mut z = [0f32; 2];
    words::lambda(2, 3, &[1.0; 6], &[2.0; 3], &mut z).unwrap();
    assert_eq!(z, [6.0, 6.0]);
    let mut turned = [0f32; 4];
    words::twice(2, 2, &[1.0, 2.0, 3.0, 4.0], &mut turned).unwrap();
    assert_eq!(turned, [2.0, 4.0, 9.0, 12.0]);
}

fn test_constants() {
    let (a, w) = (vec![2f32; 5 * 7], vec![3f32; 3 * 7]);
    let (mut expected, mut c) = (vec![0f32; 15], vec![0f32; 15]);
    constants::layer(5, 3, 7, 2.0, 0.0, -1.0, &a, &w, &mut expected).unwrap();
    assert_eq!(expected, [83f32; 15]);
    let packed = constants::layer_W_pack(3, 7, &w).unwrap();
    constants::layer_packed(5, 3, 7, 2.0, 0.0, -1.0, &a, &packed, &mut c).unwrap();
    assert_eq!(c, expected);
    let kept = unsafe { constants::Packed::from_bytes(packed.as_bytes()) };
    let mut options = constants::Options { threads: 2, ..constants::Options::default() };
    let mut room = constants::Workspace::new(constants::layer_packed_workspace(&mut options, 5, 3, 7).unwrap());
    options.workspace = Some(&mut room);
    c = vec![0f32; 15];
    constants::layer_packed_with(&mut options, 5, 3, 7, 2.0, 0.0, -1.0, &a, &kept, &mut c).unwrap();
    assert_eq!(c, expected);
    assert!(constants::layer_packed_explain(&mut options, 5, 3, 7).unwrap().contains("m 5, n 3, k 7"));
    // For other extents, of another array, and packed for nothing.
    let other = constants::layer_W_pack(30, 7, &[1f32; 210]).unwrap();
    assert_eq!(constants::layer_packed(5, 3, 7, 1.0, 0.0, 0.0, &a, &other, &mut c), Err(constants::Error::NotPacked));
    let same_size = constants::layer_W_pack(7, 3, &w).unwrap();
    assert_eq!(constants::layer_packed(5, 3, 7, 1.0, 0.0, 0.0, &a, &same_size, &mut c), Err(constants::Error::NotPacked));
    assert!(matches!(constants::layer_W_pack(3, 7, &w[1..]), Err(constants::Error::Length { array: "W", .. })));
    assert!(matches!(constants::layer_W_pack(-3, 7, &w), Err(constants::Error::NegativeExtent)));
    let nothing = constants::layer_W_pack(0, 7, &[]).unwrap();
    assert_eq!(constants::layer_packed(5, 0, 7, 1.0, 0.0, 0.0, &a, &nothing, &mut []), Ok(()));
    let bytes = vec![1u8; 4 * 2 * 34];
    let (d, qs) = (blocks::blocks_w_d_pack(4, 2, &bytes).unwrap(), blocks::blocks_w_qs_pack(4, 2, &bytes).unwrap());
    let x = vec![1f32; 3 * 2 * 32];
    let (mut y, mut z) = (vec![0f32; 12], vec![0f32; 12]);
    blocks::blocks(3, 4, 2, &x, &bytes, &mut y).unwrap();
    blocks::blocks_packed(3, 4, 2, &x, &d, &qs, &mut z).unwrap();
    assert!(y.iter().zip(&z).all(|(a, b)| (a - b).abs() <= 1e-5 * a.abs()));
}

fn test_picked() {
    let (a, w) = (vec![2f32; 4 * 7], vec![3f32; 3 * 7]);
    let (mut expected, mut c) = (vec![0f32; 6], vec![0f32; 6]);
    let packed = picked::gen_W_pack(3, 7, &w).unwrap();
    unsafe {
        picked::gen_(2, 3, 7, 4, &[3, 0], &a, &w, &mut expected).unwrap();
        picked::gen__packed(2, 3, 7, 4, &[3, 0], &a, &packed, &mut c).unwrap();
    }
    assert_eq!(expected, [42f32; 6]);
    assert_eq!(c, expected);
}

fn main() {
    test_products();
    test_constants();
    test_convolution();
    test_words();
    test_picked();
    println!("modules of Rust: ok");
}
